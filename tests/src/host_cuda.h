// CUDA C on the host, as far as generated kernels use it: a block's threads are threads, blocks run one by one.
#include <barrier>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ static

struct Dim { unsigned x, y, z; };
static thread_local Dim threadIdx, blockIdx;
static Dim blockDim, gridDim;
static std::barrier<>* block_barrier;

static inline void __syncthreads() { if (blockDim.x * blockDim.y * blockDim.z > 1) block_barrier->arrive_and_wait(); }

static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline unsigned thread_of_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

template <class T> concept Shuffled = std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, long long> ||
    std::is_same_v<T, unsigned long long> || std::is_same_v<T, float> || std::is_same_v<T, double>;
// All threads of the block have to come here, not only those of a warp.
template <Shuffled T> static T shuffle_down(unsigned mask, T value, unsigned by) {
    static unsigned char cells[1024][8];
    const unsigned t = thread_of_block();
    memcpy(cells[t], &value, sizeof value);
    __syncthreads();
    if (t % 32 + by < 32 && (mask >> (t % 32 + by) & 1)) memcpy(&value, cells[t + by], sizeof value);
    __syncthreads();
    return value;
}
template <class T> requires(sizeof(T) < 4) static int __shfl_down_sync(unsigned mask, T v, unsigned by) { return shuffle_down(mask, int(v), by); }
template <Shuffled T> static T __shfl_down_sync(unsigned mask, T v, unsigned by) { return shuffle_down(mask, v, by); }

// Each lane is on its own.
static inline unsigned __activemask() { return 1u << thread_of_block() % 32; }
static inline void __syncwarp(unsigned) {}
template <Shuffled T> static T __shfl_sync(unsigned, T v, int) { return v; }

template <class T> using Same = std::type_identity_t<T>;
template <class To, class From> static To bits(From from) { To to; memcpy(&to, &from, sizeof to); return to; }
template <class T, class F> static T atomic_update(T* p, F next) {
    using Bits = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    Bits seen = __atomic_load_n((Bits*)p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((Bits*)p, &seen, bits<Bits>(T(next(bits<T>(seen)))), false, __ATOMIC_RELAXED,
        __ATOMIC_RELAXED)) {}
    return bits<T>(seen);
}
template <class T> concept Addable = std::is_same_v<T, int> || std::is_same_v<T, unsigned> ||
    std::is_same_v<T, unsigned long long> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T> concept Ordered = std::is_same_v<T, int> || std::is_same_v<T, unsigned> ||
    std::is_same_v<T, long long> || std::is_same_v<T, unsigned long long>;
template <class T> concept Bitwise = std::is_same_v<T, int> || std::is_same_v<T, unsigned> ||
    std::is_same_v<T, unsigned long long>;
template <Addable T> static T atomicAdd(T* p, Same<T> v) { return atomic_update(p, [&](T x) { return x + v; }); }
template <class T> requires(std::is_same_v<T, int> || std::is_same_v<T, unsigned>)
static T atomicSub(T* p, Same<T> v) { return atomic_update(p, [&](T x) { return x - v; }); }
template <Ordered T> static T atomicMin(T* p, Same<T> v) { return atomic_update(p, [&](T x) { return x < v ? x : v; }); }
template <Ordered T> static T atomicMax(T* p, Same<T> v) { return atomic_update(p, [&](T x) { return x < v ? v : x; }); }
template <Bitwise T> static T atomicAnd(T* p, Same<T> v) { return atomic_update(p, [&](T x) { return x & v; }); }
template <Bitwise T> static T atomicOr(T* p, Same<T> v) { return atomic_update(p, [&](T x) { return x | v; }); }
template <Bitwise T> static T atomicXor(T* p, Same<T> v) { return atomic_update(p, [&](T x) { return x ^ v; }); }
template <class T> requires(Bitwise<T> || std::is_same_v<T, float>)
static T atomicExch(T* p, Same<T> v) { return atomic_update(p, [&](T) { return v; }); }
template <Bitwise T> static T atomicCAS(T* p, Same<T> was, Same<T> v) {
    return atomic_update(p, [&](T x) { return x == was ? v : x; });
}

template <class To, class From> static To saturated(From x, To nan) {
    if (x != x) return nan;
    if (x <= From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (x >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(x);
}
static inline int __float2int_rz(float x) { return saturated<int>(x, 0); }
static inline unsigned __float2uint_rz(float x) { return saturated<unsigned>(x, 0u); }
// The hardware gives these for NaN, not 0.
static inline int __double2int_rz(double x) { return saturated<int>(x, std::numeric_limits<int>::min()); }
static inline unsigned __double2uint_rz(double x) { return saturated<unsigned>(x, 0x80000000u); }
static inline long long __float2ll_rz(float x) { return saturated<long long>(x, std::numeric_limits<long long>::min()); }
static inline long long __double2ll_rz(double x) { return saturated<long long>(x, std::numeric_limits<long long>::min()); }
static inline unsigned long long __float2ull_rz(float x) { return saturated<unsigned long long>(x, 1ull << 63); }
static inline unsigned long long __double2ull_rz(double x) { return saturated<unsigned long long>(x, 1ull << 63); }
static inline unsigned __float_as_uint(float x) { return bits<unsigned>(x); }
static inline int __float_as_int(float x) { return bits<int>(x); }
static inline float __uint_as_float(unsigned x) { return bits<float>(x); }
static inline float __int_as_float(int x) { return bits<float>(x); }
static inline long long __double_as_longlong(double x) { return bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return bits<double>(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
static inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long r = 0;
    for (int k = 0; k < 64; ++k) r |= (x >> k & 1) << (63 - k);
    return r;
}
static inline unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }

template <class... A, size_t... I>
static void call(void (*kernel)(A...), void** args, std::index_sequence<I...>) { kernel(*static_cast<A*>(args[I])...); }

template <class... A> static void launch(void (*kernel)(A...), void** args, const unsigned* grid, const unsigned* block) {
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block[0], block[1], block[2]};
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    std::barrier<> barrier(count);
    block_barrier = &barrier;
    auto place = [](unsigned k, Dim size) { return Dim{k % size.x, k / size.x % size.y, k / size.x / size.y}; };
    auto run = [&](unsigned thread) {
        for (unsigned b = 0; b < blocks; ++b) {
            threadIdx = place(thread, blockDim);
            blockIdx = place(b, gridDim);
            call(kernel, args, std::index_sequence_for<A...>());
            if (count > 1) barrier.arrive_and_wait();
        }
    };
    if (count == 1) return run(0);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < count; ++t) threads.emplace_back(run, t);
    for (auto& t : threads) t.join();
}
