// What CUDA gives a kernel, for g++: put before every kernel that CuPy has compiled on the pretend device.
//
// The threads of a block run one after another. Where a kernel synchronises they are fibres with stacks of their own:
// each runs up to the barrier, then the next, and when all are there the first goes on. A kernel whose only index is
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

struct Fibre {
    ucontext_t start;  // entered once; after that _longjmp, which spares swapcontext's system calls
    jmp_buf here;
    std::vector<char> stack;
    bool started, done;
};

static std::vector<std::unique_ptr<Fibre>> fibres;
static Fibre* running;
static jmp_buf scheduler;
static void (*body)(void**);
static void** arguments;

inline void place(unsigned t) {
    threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
}

inline void barrier() {
    Fibre* me = running;
    if (!_setjmp(me->here)) _longjmp(scheduler, 1);
}

inline void enter() {
    body(arguments);
    running->done = true;
    _longjmp(scheduler, 1);
}

inline void block_of_fibres(unsigned threads) {
    while (fibres.size() < threads) {
        fibres.push_back(std::make_unique<Fibre>());
        fibres.back()->stack.resize(STACK);
    }
    for (unsigned t = 0; t < threads; ++t) fibres[t]->started = fibres[t]->done = false;
    static unsigned left, t;  // static: they outlive the jumps
    for (left = threads; left;) {
        unsigned arrived = 0;
        static unsigned waiting;
        waiting = 0;
        for (t = 0; t < threads; ++t) {
            running = fibres[t].get();
            if (running->done) continue;
            place(t);
            if (!_setjmp(scheduler)) {
                if (running->started) _longjmp(running->here, 1);
                running->started = true;
                getcontext(&running->start);
                running->start.uc_stack.ss_sp = running->stack.data();
                running->start.uc_stack.ss_size = STACK;
                running->start.uc_link = nullptr;
                makecontext(&running->start, enter, 0);
                setcontext(&running->start);
            }
            if (running->done) --left; else ++waiting;
        }
        (void)arrived;
        if (waiting && waiting != left) {
            fprintf(stderr, "pretend device: %u threads wait at a barrier that %u do not reach\n", waiting, left - waiting);
            abort();
        }
    }
}

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
    unsigned threads = block[0] * block[1] * block[2];
    for (unsigned z = 0; z < grid[2]; ++z)
        for (unsigned y = 0; y < grid[1]; ++y)
            for (unsigned x = 0; x < grid[0]; ++x) {
                blockIdx = {x, y, z};
                if (manner == FIBRES) {
                    block_of_fibres(threads);
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

inline void __syncthreads() { pretend::barrier(); }
inline void __syncwarp(unsigned = 0) { pretend::barrier(); }

#define PRETEND_ENTRY(name, manner) \
    extern "C" void pretend_launch_##name(const unsigned* grid, const unsigned* block, void** parameters) { \
        pretend::launch(pretend::manner, grid, block, parameters, [](void** p) { pretend::call(name, p); }); \
    }
