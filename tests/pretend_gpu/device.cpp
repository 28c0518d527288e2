// A pretend CUDA device: the driver, the part of the runtime and of cuBLAS that CuPy calls, over the host's memory.
//
// One device, one stream, nothing asynchronous. Launches, products, copies and synchronisations are counted. Memory of
// the device is known by its address, so that a product or a copy that leaves it is an error, as is a mix-up of host and
// device. What is not defined here is a stub made by build.py that ends the process with its name.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace {

enum Count { LAUNCHES, PRODUCTS, TO_DEVICE, TO_HOST, ON_DEVICE, MEMSETS, SYNCHRONISATIONS, ALLOCATIONS, COUNTS };
long counts[COUNTS];
long bytes_to_host;
bool idle = getenv("SNODE_PRETEND_GPU_IDLE") != nullptr;  // launches and products do nothing
std::map<std::string, long> by_name;
bool names_wanted = false;
double seconds;  // spent in kernels and products

struct Clock {
    timespec start;
    Clock() { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start); }
    ~Clock() {
        timespec end;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        seconds += end.tv_sec - start.tv_sec + 1e-9 * (end.tv_nsec - start.tv_nsec);
    }
};

std::map<uintptr_t, size_t> memory;  // of the device: address, size
size_t in_use, most_in_use;
const size_t CAPACITY = size_t(16) << 30;

bool on_device(const void* address, size_t size) {
    if (!size) return true;
    auto next = memory.upper_bound(uintptr_t(address));
    if (next == memory.begin()) return false;
    auto [start, length] = *std::prev(next);
    return uintptr_t(address) + size <= start + length;
}

void require_on_device(const void* address, size_t size, const char* what) {
    if (on_device(address, size)) return;
    fprintf(stderr, "pretend device: %s of %zu bytes at %p is not inside one allocation of the device\n", what, size, address);
    abort();
}

int copy(void* to, const void* from, size_t size, int kind) {
    if (kind == cudaMemcpyDefault)
        kind = on_device(to, size) ? (on_device(from, size) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                                   : (on_device(from, size) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
    bool reads = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    bool writes = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    if (reads) require_on_device(from, size, "a copy from");
    if (writes) require_on_device(to, size, "a copy to");
    counts[reads ? (writes ? ON_DEVICE : TO_HOST) : TO_DEVICE] += 1;
    if (reads && !writes) bytes_to_host += size;
    memmove(to, from, size);
    return 0;
}

}  // namespace

extern "C" {

// --- what tests ask ---

const long* pretend_counts() { return counts; }
double pretend_seconds() { return seconds; }
long pretend_bytes_to_host() { return bytes_to_host; }
size_t pretend_most_memory() { return most_in_use; }
void pretend_reset() {
    memset(counts, 0, sizeof counts);
    bytes_to_host = 0;
    seconds = 0;
    most_in_use = in_use;
    by_name.clear();
}
void pretend_idle(int on) { idle = on; }
void pretend_name_kernels(int on) { names_wanted = on; }
const char* pretend_kernels() {
    static std::string text;
    text.clear();
    for (auto& [name, count] : by_name) text += name + " " + std::to_string(count) + "\n";
    return text.c_str();
}

// --- the driver ---

struct Kernel { std::string name; void (*launch)(const unsigned*, const unsigned*, void**); };

int cuGetErrorName(int, const char** text) { *text = "CUDA_ERROR"; return 0; }
int cuGetErrorString(int, const char** text) { *text = "an error of the pretend device"; return 0; }
static char the_context;
int cuCtxGetCurrent(void** context) { *context = &the_context; return 0; }
int cuModuleLoadData(void** module, const void* image) {
    // The image is a shared library as g++ made it; its section headers, which come last, tell its size.
    auto elf = static_cast<const unsigned char*>(image);
    if (memcmp(elf, "\177ELF", 4)) return 200;  // CUDA_ERROR_INVALID_IMAGE
    uint64_t sections; uint16_t entry, entries;
    memcpy(&sections, elf + 40, 8); memcpy(&entry, elf + 58, 2); memcpy(&entries, elf + 60, 2);
    size_t size = sections + size_t(entry) * entries;
    int file = memfd_create("kernel", MFD_CLOEXEC);
    if (file < 0 || write(file, image, size) != ssize_t(size)) return 999;
    std::string path = "/proc/self/fd/" + std::to_string(file);
    *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!*module) fprintf(stderr, "pretend device: %s\n", dlerror());
    // Kept open: glibc knows a library by its file, and the number would be taken for another.
    return *module ? 0 : 200;
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
    auto launch = dlsym(module, (std::string("pretend_launch_") + name).c_str());
    if (!launch) return 500;  // CUDA_ERROR_NOT_FOUND
    *function = new Kernel{name, reinterpret_cast<void (*)(const unsigned*, const unsigned*, void**)>(launch)};
    return 0;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned, void*, void** parameters, void**) {
    auto kernel = static_cast<Kernel*>(function);
    unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    if (!gx || !gy || !gz || !bx || bx * by * bz > 1024 || gy > 65535 || gz > 65535) return 1;  // CUDA_ERROR_INVALID_VALUE
    counts[LAUNCHES] += 1;
    if (names_wanted) by_name[kernel->name] += 1;
    if (idle) return 0;
    Clock clock;
    kernel->launch(grid, block, parameters);
    return 0;
}
int cuFuncGetAttribute(int* value, int, void*) { *value = 0; return 0; }
int cuFuncSetAttribute(void*, int, int) { return 0; }
int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void*, void*, size_t, int) { *grid = 1; *block = 128; return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, size_t) { *blocks = 8; return 0; }

// --- the runtime ---

const char* cudaGetErrorName(cudaError_t error) { return error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaError"; }
const char* cudaGetErrorString(cudaError_t error) { return error == cudaErrorMemoryAllocation ? "out of memory" : "an error of the pretend device"; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) { *version = CUDART_VERSION; return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { *version = CUDART_VERSION; return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { *device = 0; return cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
cudaError_t cudaGetDeviceCount(int* count) { *count = 1; return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { counts[SYNCHRONISATIONS] += 1; return cudaSuccess; }
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int) { snprintf(id, length, "0000:00:00.0"); return cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor: *value = 8; break;
        case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
        case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
        case cudaDevAttrMaxGridDimX: *value = 2147483647; break;
        case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: *value = 65535; break;
        case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: *value = 1024; break;
        case cudaDevAttrMaxBlockDimZ: *value = 64; break;
        case cudaDevAttrMultiProcessorCount: *value = 108; break;
        case cudaDevAttrWarpSize: *value = 32; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = 49152; break;
        default: *value = 0;
    }
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* p, int) {
    memset(p, 0, sizeof *p);
    strcpy(p->name, "pretend CUDA device");
    p->totalGlobalMem = CAPACITY;
    p->sharedMemPerBlock = 49152;
    p->warpSize = 32;
    p->maxThreadsPerBlock = 1024;
    p->major = 8;
    p->multiProcessorCount = 108;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** address, size_t size) {
    if (in_use + size > CAPACITY) return cudaErrorMemoryAllocation;
    if (posix_memalign(address, 512, size ? size : 512)) return cudaErrorMemoryAllocation;
    memset(*address, 0xcb, size);  // what was never written shows: as a float it is -26,711,446
    memory[uintptr_t(*address)] = size;
    counts[ALLOCATIONS] += 1;
    in_use += size;
    if (in_use > most_in_use) most_in_use = in_use;
    return cudaSuccess;
}
cudaError_t cudaFree(void* address) {
    if (!address) return cudaSuccess;
    auto found = memory.find(uintptr_t(address));
    if (found == memory.end()) return cudaErrorInvalidValue;
    in_use -= found->second;
    memory.erase(found);
    free(address);
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** address, size_t size, unsigned) {
    return posix_memalign(address, 512, size ? size : 512) ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFreeHost(void* address) { free(address); return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t* left, size_t* total) { *left = CAPACITY - in_use; *total = CAPACITY; return cudaSuccess; }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
    memset(attributes, 0, sizeof *attributes);
    bool there = on_device(address, 1);
    attributes->type = there ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    attributes->device = there ? 0 : -1;
    attributes->devicePointer = there ? const_cast<void*>(address) : nullptr;
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
    counts[SYNCHRONISATIONS] += 1;
    return cudaError_t(copy(to, from, size, kind));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t) {
    return cudaError_t(copy(to, from, size, kind));
}
cudaError_t cudaMemsetAsync(void* address, int value, size_t size, cudaStream_t) {
    require_on_device(address, size, "a memset");
    counts[MEMSETS] += 1;
    memset(address, value, size);
    return cudaSuccess;
}
cudaError_t cudaMemset(void* address, int value, size_t size) { return cudaMemsetAsync(address, value, size, nullptr); }

cudaError_t cudaStreamSynchronize(cudaStream_t) { counts[SYNCHRONISATIONS] += 1; return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) { *status = cudaStreamCaptureStatusNone; return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamCreate(cudaStream_t* stream) { *stream = nullptr; return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { *stream = nullptr; return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event) { *event = reinterpret_cast<cudaEvent_t>(&the_context); return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { counts[SYNCHRONISATIONS] += 1; return cudaSuccess; }

// --- cuBLAS: matrices by columns, C <- alpha op(A) op(B) + beta C ---

}  // extern "C"

namespace {

template <class T>
size_t extent(int rows, int columns, int leading) { return columns ? (size_t(columns - 1) * leading + rows) * sizeof(T) : 0; }

template <class T>
void product(bool ta, bool tb, int m, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb, T beta, T* C, int ldc) {
    require_on_device(A, ta ? extent<T>(k, m, lda) : extent<T>(m, k, lda), "a factor");
    require_on_device(B, tb ? extent<T>(n, k, ldb) : extent<T>(k, n, ldb), "a factor");
    require_on_device(C, extent<T>(m, n, ldc), "a product");
    static thread_local std::vector<T> packed, column;
    if (ta) {
        packed.resize(size_t(m) * k);
        for (int i = 0; i < m; ++i)
            for (int l = 0; l < k; ++l) packed[size_t(l) * m + i] = A[size_t(i) * lda + l];
        A = packed.data();
        lda = m;
    }
    column.resize(m);
    for (int j = 0; j < n; ++j) {
        T* sum = column.data();
        for (int i = 0; i < m; ++i) sum[i] = 0;
        for (int l = 0; l < k; ++l) {
            T b = tb ? B[size_t(l) * ldb + j] : B[size_t(j) * ldb + l];
            const T* a = A + size_t(l) * lda;
            for (int i = 0; i < m; ++i) sum[i] += a[i] * b;
        }
        T* c = C + size_t(j) * ldc;
        for (int i = 0; i < m; ++i) c[i] = beta == 0 ? alpha * sum[i] : alpha * sum[i] + beta * c[i];
    }
}

const int F32 = 0, F64 = 1;  // cudaDataType: CUDA_R_32F, CUDA_R_64F
const int NOT_SUPPORTED = 15;
int math_mode, pointer_mode;

template <class T>
int batched(int ta, int tb, int m, int n, int k, const void* alpha, const void* A, int lda, long long sa, const void* B,
            int ldb, long long sb, const void* beta, void* C, int ldc, long long sc, int batch) {
    if (lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m) return 7;  // CUBLAS_STATUS_INVALID_VALUE
    counts[PRODUCTS] += 1;
    if (idle) return 0;
    Clock clock;
    for (int i = 0; i < batch; ++i)
        product<T>(ta, tb, m, n, k, *static_cast<const T*>(alpha), static_cast<const T*>(A) + i * sa, lda,
                   static_cast<const T*>(B) + i * sb, ldb, *static_cast<const T*>(beta), static_cast<T*>(C) + i * sc, ldc);
    return 0;
}

int of_type(int type, int ta, int tb, int m, int n, int k, const void* alpha, const void* A, int lda, long long sa,
            const void* B, int ldb, long long sb, const void* beta, void* C, int ldc, long long sc, int batch) {
    if (type == F32) return batched<float>(ta, tb, m, n, k, alpha, A, lda, sa, B, ldb, sb, beta, C, ldc, sc, batch);
    if (type == F64) return batched<double>(ta, tb, m, n, k, alpha, A, lda, sa, B, ldb, sb, beta, C, ldc, sc, batch);
    return NOT_SUPPORTED;
}

template <class T>
int dot(int n, const T* x, int ix, const T* y, int iy, T* result) {
    counts[PRODUCTS] += 1;
    T sum = 0;
    Clock clock;
    if (!idle)
        for (int i = 0; i < n; ++i) sum += x[long(i) * ix] * y[long(i) * iy];
    *result = sum;
    return 0;
}

template <class T>
int by_pointers(int ta, int tb, int m, int n, int k, const T* alpha, const T** A, int lda, const T** B, int ldb, const T* beta,
                T** C, int ldc, int batch) {
    counts[PRODUCTS] += 1;
    Clock clock;
    if (!idle)
        for (int i = 0; i < batch; ++i) product<T>(ta, tb, m, n, k, *alpha, A[i], lda, B[i], ldb, *beta, C[i], ldc);
    return 0;
}

template <class T>
int vector_product(int t, int m, int n, const T* alpha, const T* A, int lda, const T* x, int ix, const T* beta, T* y, int iy) {
    counts[PRODUCTS] += 1;
    if (idle) return 0;
    Clock clock;
    int rows = t ? n : m, columns = t ? m : n;
    std::vector<T> sum(rows);
    for (int i = 0; i < rows; ++i)
        for (int l = 0; l < columns; ++l) sum[i] += (t ? A[size_t(i) * lda + l] : A[size_t(l) * lda + i]) * x[long(l) * ix];
    for (int i = 0; i < rows; ++i) y[long(i) * iy] = *beta == 0 ? *alpha * sum[i] : *alpha * sum[i] + *beta * y[long(i) * iy];
    return 0;
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) { *handle = &the_context; return 0; }
int cublasDestroy_v2(void*) { return 0; }
int cublasGetVersion_v2(void*, int* version) { *version = 120902; return 0; }
int cublasSetStream_v2(void*, void*) { return 0; }
int cublasGetStream_v2(void*, void** stream) { *stream = nullptr; return 0; }
int cublasSetMathMode(void*, int mode) { math_mode = mode; return 0; }
int cublasGetMathMode(void*, int* mode) { *mode = math_mode; return 0; }
int cublasSetPointerMode_v2(void*, int mode) { pointer_mode = mode; return 0; }
int cublasGetPointerMode_v2(void*, int* mode) { *mode = pointer_mode; return 0; }

int cublasGemmStridedBatchedEx(void*, int ta, int tb, int m, int n, int k, const void* alpha, const void* A, int, int lda,
                               long long sa, const void* B, int, int ldb, long long sb, const void* beta, void* C, int type,
                               int ldc, long long sc, int batch, int, int) {
    return of_type(type, ta, tb, m, n, k, alpha, A, lda, sa, B, ldb, sb, beta, C, ldc, sc, batch);
}
int cublasGemmEx(void*, int ta, int tb, int m, int n, int k, const void* alpha, const void* A, int, int lda, const void* B,
                 int, int ldb, const void* beta, void* C, int type, int ldc, int, int) {
    return of_type(type, ta, tb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1);
}
int cublasSgemm_v2(void*, int ta, int tb, int m, int n, int k, const float* alpha, const float* A, int lda, const float* B,
                   int ldb, const float* beta, float* C, int ldc) {
    return of_type(F32, ta, tb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1);
}
int cublasDgemm_v2(void*, int ta, int tb, int m, int n, int k, const double* alpha, const double* A, int lda,
                   const double* B, int ldb, const double* beta, double* C, int ldc) {
    return of_type(F64, ta, tb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1);
}
int cublasSgemmBatched(void*, int ta, int tb, int m, int n, int k, const float* alpha, const float** A, int lda,
                       const float** B, int ldb, const float* beta, float** C, int ldc, int batch) {
    return by_pointers<float>(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, batch);
}
int cublasDgemmBatched(void*, int ta, int tb, int m, int n, int k, const double* alpha, const double** A, int lda,
                       const double** B, int ldb, const double* beta, double** C, int ldc, int batch) {
    return by_pointers<double>(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, batch);
}
int cublasSdot_v2(void*, int n, const float* x, int ix, const float* y, int iy, float* r) { return dot(n, x, ix, y, iy, r); }
int cublasDdot_v2(void*, int n, const double* x, int ix, const double* y, int iy, double* r) { return dot(n, x, ix, y, iy, r); }
int cublasSgemv_v2(void*, int t, int m, int n, const float* alpha, const float* A, int lda, const float* x, int ix,
                   const float* beta, float* y, int iy) {
    return vector_product(t, m, n, alpha, A, lda, x, ix, beta, y, iy);
}
int cublasDgemv_v2(void*, int t, int m, int n, const double* alpha, const double* A, int lda, const double* x, int ix,
                   const double* beta, double* y, int iy) {
    return vector_product(t, m, n, alpha, A, lda, x, ix, beta, y, iy);
}

}  // extern "C"
