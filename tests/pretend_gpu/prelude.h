// What CUDA gives a kernel, for g++: put before every kernel that CuPy has compiled on the pretend device.
//
// The threads of a block run one after another. Where a kernel synchronises they are fibres with stacks of their own:
// each runs up to the barrier, then the next, and when all are there (of the block, or of the warp) they go on. A kernel whose only index is
// CuPy's grid-stride loop (CUPY_FOR) runs as a single thread that does the whole loop.
#pragma once
#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 800

struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };
static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static const int warpSize = 32;

using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

template <class A, class B> inline std::common_type_t<A, B> min(A a, B b) { using C = std::common_type_t<A, B>; return C(b) < C(a) ? C(b) : C(a); }
template <class A, class B> inline std::common_type_t<A, B> max(A a, B b) { using C = std::common_type_t<A, B>; return C(a) < C(b) ? C(b) : C(a); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
template <class T> inline T __ldg(const T* p) { return *p; }
inline long long __double_as_longlong(double x) { long long r; memcpy(&r, &x, 8); return r; }
inline double __longlong_as_double(long long x) { double r; memcpy(&r, &x, 8); return r; }
inline int __float_as_int(float x) { int r; memcpy(&r, &x, 4); return r; }
inline float __int_as_float(int x) { float r; memcpy(&r, &x, 4); return r; }
inline void __threadfence() {}
inline void __threadfence_block() {}

// Nothing runs at the same time, so nothing needs to be atomic.
template <class T, class U> inline T atomicAdd(T* p, U v) { T old = *p; *p = old + T(v); return old; }
template <class T, class U> inline T atomicMax(T* p, U v) { T old = *p; if (old < T(v)) *p = T(v); return old; }
template <class T, class U> inline T atomicMin(T* p, U v) { T old = *p; if (T(v) < old) *p = T(v); return old; }
template <class T, class U> inline T atomicOr(T* p, U v) { T old = *p; *p = old | T(v); return old; }
template <class T, class U> inline T atomicAnd(T* p, U v) { T old = *p; *p = old & T(v); return old; }
template <class T, class U> inline T atomicExch(T* p, U v) { T old = *p; *p = T(v); return old; }
template <class T, class U, class V> inline T atomicCAS(T* p, U compare, V v) { T old = *p; if (old == T(compare)) *p = T(v); return old; }

namespace pretend {

const size_t STACK = 32 * 1024;

enum Wait { RUNS, AT_BLOCK, AT_WARP, DONE };

struct Fibre {
    jmp_buf here;
    std::unique_ptr<char[]> stack{new char[STACK]};  // not filled: most of it is never touched
    Wait wait;
    uint64_t shuffled;  // what this thread shows to its warp
};

static std::vector<std::unique_ptr<Fibre>> fibres;
static Fibre* running;
static jmp_buf scheduler;
static void (*body)(void**);
static void** arguments;
static unsigned threads;

inline void place(unsigned t) {
    threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
}

inline void barrier(Wait kind) {
    running->wait = kind;
    Fibre* me = running;
    if (!_setjmp(me->here)) _longjmp(scheduler, 1);
}

// A fibre is made once a process and runs one thread of a block after another: to make it takes system calls.
inline void run_threads() {
    for (;;) {
        body(arguments);
        barrier(DONE);
    }
}

inline void add_fibre() {
    fibres.push_back(std::make_unique<Fibre>());
    running = fibres.back().get();
    ucontext_t start;
    getcontext(&start);
    start.uc_stack.ss_sp = running->stack.get();
    start.uc_stack.ss_size = STACK;
    start.uc_link = nullptr;
    makecontext(&start, [] { barrier(DONE), run_threads(); }, 0);
    if (!_setjmp(scheduler)) setcontext(&start);
}

// Lets the threads from first to last go on if all that are not done wait for this; tells whether there were any.
inline bool release(unsigned first, unsigned last, Wait kind) {
    unsigned waiting = 0;
    for (unsigned t = first; t < last; ++t) {
        if (fibres[t]->wait != kind && fibres[t]->wait != DONE) return false;
        waiting += fibres[t]->wait == kind;
    }
    for (unsigned t = first; t < last; ++t)
        if (fibres[t]->wait == kind) fibres[t]->wait = RUNS;
    return waiting;
}

inline void block_of_fibres() {
    while (fibres.size() < threads) add_fibre();
    for (unsigned t = 0; t < threads; ++t) fibres[t]->wait = RUNS;
    for (;;) {
        static unsigned t;  // static: it outlives the jumps
        for (t = 0; t < threads; ++t) {
            running = fibres[t].get();
            if (running->wait != RUNS) continue;
            place(t);
            if (!_setjmp(scheduler)) _longjmp(running->here, 1);
        }
        bool on = false, done = true;
        for (unsigned w = 0; w < threads; w += 32) on |= release(w, w + 32 < threads ? w + 32 : threads, AT_WARP);
        if (on) continue;
        for (unsigned u = 0; u < threads; ++u) done &= fibres[u]->wait == DONE;
        if (done) return;
        if (!release(0, threads, AT_BLOCK)) {
            fprintf(stderr, "pretend device: some threads wait at a barrier that others do not reach\n");
            abort();
        }
    }
}

template <class T>
inline T shuffled(T value, unsigned lane) {
    static_assert(sizeof(T) <= 8, "one register or two");
    memcpy(&running->shuffled, &value, sizeof value);
    unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    barrier(AT_WARP);
    unsigned from = me / 32 * 32 + lane;
    if (from < threads) memcpy(&value, &fibres[from]->shuffled, sizeof value);
    barrier(AT_WARP);
    return value;
}

inline unsigned lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }

// How a kernel may be run.
enum Manner { LOOPS = 0, FIBRES = 1, ONE_THREAD = 2 };

inline void launch(Manner manner, const unsigned* grid, const unsigned* block, void** parameters, void (*kernel)(void**)) {
    body = kernel;
    arguments = parameters;
    if (manner == ONE_THREAD) {
        gridDim = blockDim = {1, 1, 1};
        blockIdx = threadIdx = {0, 0, 0};
        return kernel(parameters);
    }
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
    threads = block[0] * block[1] * block[2];
    for (unsigned z = 0; z < grid[2]; ++z)
        for (unsigned y = 0; y < grid[1]; ++y)
            for (unsigned x = 0; x < grid[0]; ++x) {
                blockIdx = {x, y, z};
                if (manner == FIBRES) {
                    block_of_fibres();
                    continue;
                }
                for (unsigned t = 0; t < threads; ++t) {
                    place(t);
                    kernel(parameters);
                }
            }
}

// Calls f with the values that the pointers point to.
template <class... A, size_t... I>
inline void call(void (*f)(A...), void** p, std::index_sequence<I...>) {
    f(*reinterpret_cast<std::remove_reference_t<A>*>(p[I])...);
}
template <class... A>
inline void call(void (*f)(A...), void** p) {
    call(f, p, std::index_sequence_for<A...>());
}

}  // namespace pretend

inline void __syncthreads() { pretend::barrier(pretend::AT_BLOCK); }
inline void __syncwarp(unsigned = 0) { pretend::barrier(pretend::AT_WARP); }

// Warps are whole: masks are not looked at, and widths are 32.
template <class T> inline T __shfl_sync(unsigned, T v, int lane, int = 32) { return pretend::shuffled(v, lane & 31); }
template <class T> inline T __shfl_xor_sync(unsigned, T v, int bits, int = 32) { return pretend::shuffled(v, pretend::lane() ^ bits); }
template <class T> inline T __shfl_down_sync(unsigned, T v, unsigned by, int = 32) { unsigned l = pretend::lane(); return pretend::shuffled(v, l + by < 32 ? l + by : l); }
template <class T> inline T __shfl_up_sync(unsigned, T v, unsigned by, int = 32) { unsigned l = pretend::lane(); return pretend::shuffled(v, l >= by ? l - by : l); }

#define PRETEND_ENTRY(name, manner) \
    extern "C" void pretend_launch_##name(const unsigned* grid, const unsigned* block, void** parameters) { \
        pretend::launch(pretend::manner, grid, block, parameters, [](void** p) { pretend::call(name, p); }); \
    }
