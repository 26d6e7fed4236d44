// CUDA C for the host compiler, without any other header so that a kernel compiles in a tenth of a second.
// The text of a kernel follows, and after it a table of its kernels that the loader reads.

using size_t = decltype(sizeof(0));

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __host__
#define __constant__ __attribute__((visibility("default")))
#define __managed__
#define __shared__ static __thread
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")

struct uint3 { unsigned x, y, z; };
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
#define SOFTCUDA_VECTOR(T, NAME, A1, A2, A3, A4) \
    struct NAME##1 { T x; }; \
    struct A2 NAME##2 { T x, y; }; \
    struct A4 NAME##4 { T x, y, z, w; }; \
    static inline NAME##1 make_##NAME##1(T x) { return {x}; } \
    static inline NAME##2 make_##NAME##2(T x, T y) { return {x, y}; } \
    static inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define SOFTCUDA_VECTOR3(T, NAME) \
    struct NAME##3 { T x, y, z; }; \
    static inline NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }
SOFTCUDA_VECTOR(signed char, char, , alignas(2), , alignas(4))
SOFTCUDA_VECTOR(unsigned char, uchar, , alignas(2), , alignas(4))
SOFTCUDA_VECTOR(short, short, , alignas(4), , alignas(8))
SOFTCUDA_VECTOR(unsigned short, ushort, , alignas(4), , alignas(8))
SOFTCUDA_VECTOR(int, int, , alignas(8), , alignas(16))
SOFTCUDA_VECTOR(unsigned, uint, , alignas(8), , alignas(16))
SOFTCUDA_VECTOR(long long, longlong, , alignas(16), , alignas(16))
SOFTCUDA_VECTOR(unsigned long long, ulonglong, , alignas(16), , alignas(16))
SOFTCUDA_VECTOR(float, float, , alignas(8), , alignas(16))
SOFTCUDA_VECTOR(double, double, , alignas(16), , alignas(16))
SOFTCUDA_VECTOR3(signed char, char)
SOFTCUDA_VECTOR3(unsigned char, uchar)
SOFTCUDA_VECTOR3(short, short)
SOFTCUDA_VECTOR3(unsigned short, ushort)
SOFTCUDA_VECTOR3(int, int)
SOFTCUDA_VECTOR3(long long, longlong)
SOFTCUDA_VECTOR3(unsigned long long, ulonglong)
SOFTCUDA_VECTOR3(float, float)
SOFTCUDA_VECTOR3(double, double)
static inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

// The thread that runs now, one per thread of the operating system. The loader and the scheduler know this layout.
struct softcuda_context {
    uint3 thread, block;
    dim3 block_dim{0, 0, 0}, grid_dim{0, 0, 0};
    void* dynamic;
    void* scheduler;
};
struct softcuda_context_pod { unsigned numbers[12]; void* dynamic; void* scheduler; };
extern "C" __attribute__((visibility("hidden"))) __thread softcuda_context_pod softcuda_self_pod;
__thread softcuda_context_pod softcuda_self_pod;
#define softcuda_self (reinterpret_cast<softcuda_context&>(softcuda_self_pod))
#define threadIdx (*const_cast<const uint3*>(&softcuda_self.thread))
#define blockIdx (*const_cast<const uint3*>(&softcuda_self.block))
#define blockDim (*const_cast<const dim3*>(&softcuda_self.block_dim))
#define gridDim (*const_cast<const dim3*>(&softcuda_self.grid_dim))
constexpr int warpSize = 32;

struct softcuda_runtime {
    void (*barrier)(void* scheduler);
    unsigned long long (*warp)(void* scheduler, unsigned op, unsigned mask, unsigned long long value, unsigned arg, unsigned width);
    void (*yield)(void* scheduler);
    void (*fail)(void* scheduler, int code, const char* message);
};
extern "C" __attribute__((visibility("default"))) const softcuda_runtime* softcuda_rt;
const softcuda_runtime* softcuda_rt;
extern "C" __attribute__((visibility("default"))) void* softcuda_here() { return &softcuda_self_pod; }

// `extern __shared__ T name[];` becomes one of these.
template <class T> struct softcuda_dynamic {
    operator T*() const { return (T*)softcuda_self.dynamic; }
    template <class U> explicit operator U*() const { return (U*)softcuda_self.dynamic; }
    T* operator&() const { return (T*)softcuda_self.dynamic; }
};

static inline void __syncthreads() { softcuda_rt->barrier(softcuda_self.scheduler); }
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __nanosleep(unsigned) { softcuda_rt->yield(softcuda_self.scheduler); }
[[noreturn]] static inline void __trap() { softcuda_rt->fail(softcuda_self.scheduler, 719, "__trap()"); __builtin_unreachable(); }
#define assert(e) ((e) ? (void)0 : softcuda_rt->fail(softcuda_self.scheduler, 710, "assertion failed: " #e))
#define printf(...) __builtin_printf(__VA_ARGS__)
static inline long long clock64() { return (long long)__builtin_ia32_rdtsc(); }

// Values travel between the lanes of a warp as 64 bits.
template <class T> struct softcuda_same { using type = T; };
template <class To, class From> static inline To softcuda_bits(From from) {
    To to{};
    __builtin_memcpy(&to, &from, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
    return to;
}
enum { SOFTCUDA_SYNC, SOFTCUDA_INDEX, SOFTCUDA_UP, SOFTCUDA_DOWN, SOFTCUDA_XOR, SOFTCUDA_BALLOT, SOFTCUDA_MATCH, SOFTCUDA_ACTIVE,
    SOFTCUDA_ADD, SOFTCUDA_MIN, SOFTCUDA_MAX, SOFTCUDA_UMIN, SOFTCUDA_UMAX, SOFTCUDA_AND, SOFTCUDA_OR, SOFTCUDA_EXOR };
static inline unsigned long long softcuda_warp(unsigned op, unsigned mask, unsigned long long value, unsigned arg = 0, unsigned width = 32) {
    return softcuda_rt->warp(softcuda_self.scheduler, op, mask, value, arg, width);
}
template <class T> static inline T softcuda_shuffle(unsigned op, unsigned mask, T value, unsigned arg, int width) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    return softcuda_bits<T>(softcuda_warp(op, mask, softcuda_bits<unsigned long long>(value), arg, (unsigned)width));
}
template <class T> static inline T __shfl_sync(unsigned mask, T v, int lane, int width = 32) { return softcuda_shuffle(SOFTCUDA_INDEX, mask, v, (unsigned)lane, width); }
template <class T> static inline T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) { return softcuda_shuffle(SOFTCUDA_UP, mask, v, delta, width); }
template <class T> static inline T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) { return softcuda_shuffle(SOFTCUDA_DOWN, mask, v, delta, width); }
template <class T> static inline T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32) { return softcuda_shuffle(SOFTCUDA_XOR, mask, v, (unsigned)lanes, width); }
static inline void __syncwarp(unsigned mask = 0xffffffffu) { softcuda_warp(SOFTCUDA_SYNC, mask, 0); }
static inline unsigned __ballot_sync(unsigned mask, int p) { return (unsigned)softcuda_warp(SOFTCUDA_BALLOT, mask, p != 0); }
static inline int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
static inline int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, !p) == 0; }
// Lanes that ask at the same place are there together.
static __attribute__((noinline, unused)) unsigned __activemask() {
    return (unsigned)softcuda_warp(SOFTCUDA_ACTIVE, 0, (unsigned long long)__builtin_return_address(0));
}
template <class T> static inline unsigned __match_any_sync(unsigned mask, T v) { return (unsigned)softcuda_warp(SOFTCUDA_MATCH, mask, softcuda_bits<unsigned long long>(v)); }
static inline int __reduce_add_sync(unsigned mask, int v) { return (int)softcuda_warp(SOFTCUDA_ADD, mask, (unsigned)v); }
static inline unsigned __reduce_add_sync(unsigned mask, unsigned v) { return (unsigned)softcuda_warp(SOFTCUDA_ADD, mask, v); }
static inline int __reduce_min_sync(unsigned mask, int v) { return (int)softcuda_warp(SOFTCUDA_MIN, mask, (unsigned)v); }
static inline int __reduce_max_sync(unsigned mask, int v) { return (int)softcuda_warp(SOFTCUDA_MAX, mask, (unsigned)v); }
static inline unsigned __reduce_min_sync(unsigned mask, unsigned v) { return (unsigned)softcuda_warp(SOFTCUDA_UMIN, mask, v); }
static inline unsigned __reduce_max_sync(unsigned mask, unsigned v) { return (unsigned)softcuda_warp(SOFTCUDA_UMAX, mask, v); }
static inline unsigned __reduce_and_sync(unsigned mask, unsigned v) { return (unsigned)softcuda_warp(SOFTCUDA_AND, mask, v); }
static inline unsigned __reduce_or_sync(unsigned mask, unsigned v) { return (unsigned)softcuda_warp(SOFTCUDA_OR, mask, v); }
static inline unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return (unsigned)softcuda_warp(SOFTCUDA_EXOR, mask, v); }
static inline int __syncthreads_count(int p);
static inline int __syncthreads_or(int p) { return __syncthreads_count(p) != 0; }
static inline int __syncthreads_and(int p) { return __syncthreads_count(!p) == 0; }

// Atomics.
template <class T, class F> static inline T softcuda_update(T* p, F next) {
    T seen;
    __atomic_load(p, &seen, __ATOMIC_RELAXED);
    while (true) {
        T wanted = next(seen);
        if (__atomic_compare_exchange(p, &seen, &wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return seen;
    }
}
#define SOFTCUDA_ATOMIC(NAME, T, EXPRESSION) \
    static inline T NAME(T* p, T v) { return softcuda_update(p, [v](T old) -> T { return EXPRESSION; }); } \
    static inline T NAME##_block(T* p, T v) { return NAME(p, v); } \
    static inline T NAME##_system(T* p, T v) { return NAME(p, v); }
#define SOFTCUDA_FETCH(NAME, T, OPERATION) \
    static inline T NAME(T* p, T v) { return __atomic_fetch_##OPERATION(p, v, __ATOMIC_SEQ_CST); } \
    static inline T NAME##_block(T* p, T v) { return NAME(p, v); } \
    static inline T NAME##_system(T* p, T v) { return NAME(p, v); }
SOFTCUDA_FETCH(atomicAdd, int, add)
SOFTCUDA_FETCH(atomicAdd, unsigned, add)
SOFTCUDA_FETCH(atomicAdd, unsigned long long, add)
SOFTCUDA_ATOMIC(atomicAdd, float, old + v)
SOFTCUDA_ATOMIC(atomicAdd, double, old + v)
SOFTCUDA_FETCH(atomicSub, int, sub)
SOFTCUDA_FETCH(atomicSub, unsigned, sub)
#define SOFTCUDA_ATOMICS(T) \
    SOFTCUDA_ATOMIC(atomicMin, T, v < old ? v : old) \
    SOFTCUDA_ATOMIC(atomicMax, T, old < v ? v : old)
SOFTCUDA_ATOMICS(int)
SOFTCUDA_ATOMICS(unsigned)
SOFTCUDA_ATOMICS(long long)
SOFTCUDA_ATOMICS(unsigned long long)
#define SOFTCUDA_BITS(T) \
    SOFTCUDA_FETCH(atomicAnd, T, and) \
    SOFTCUDA_FETCH(atomicOr, T, or) \
    SOFTCUDA_FETCH(atomicXor, T, xor) \
    static inline T atomicCAS(T* p, T current, T v) { \
        __atomic_compare_exchange_n(p, &current, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return current; \
    }
SOFTCUDA_BITS(int)
SOFTCUDA_BITS(unsigned)
SOFTCUDA_BITS(unsigned long long)
static inline unsigned short atomicCAS(unsigned short* p, unsigned short current, unsigned short v) {
    __atomic_compare_exchange_n(p, &current, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return current;
}
SOFTCUDA_ATOMIC(atomicExch, int, v)
SOFTCUDA_ATOMIC(atomicExch, unsigned, v)
SOFTCUDA_ATOMIC(atomicExch, unsigned long long, v)
SOFTCUDA_ATOMIC(atomicExch, float, v)
SOFTCUDA_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
SOFTCUDA_ATOMIC(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)

// One counter per block stands in for the reduction of a predicate.
static inline int __syncthreads_count(int p) {
    static __thread int count;
    count = 0;
    __syncthreads();
    count += p != 0;
    __syncthreads();
    int result = count;
    __syncthreads();
    return result;
}

// Bits.
static inline unsigned __float_as_uint(float x) { return softcuda_bits<unsigned>(x); }
static inline int __float_as_int(float x) { return softcuda_bits<int>(x); }
static inline float __uint_as_float(unsigned x) { return softcuda_bits<float>(x); }
static inline float __int_as_float(int x) { return softcuda_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return softcuda_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return softcuda_bits<double>(x); }
static inline double __hiloint2double(int hi, int lo) { return softcuda_bits<double>((unsigned long long)(unsigned)hi << 32 | (unsigned)lo); }
static inline int __double2hiint(double x) { return (int)(softcuda_bits<unsigned long long>(x) >> 32); }
static inline int __double2loint(double x) { return (int)softcuda_bits<unsigned long long>(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned long long __brevll(unsigned long long x) {
    x = (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
    x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(x);
}
static inline unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned r = 0;
    for (int k = 0; k < 4; ++k) {
        unsigned pick = s >> 4 * k & 15, byte = (unsigned)(both >> 8 * (pick & 7)) & 255;
        r |= (pick & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * k;
    }
    return r;
}
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) { return (unsigned)(((unsigned long long)hi << 32 | lo) << (s & 31) >> 32); }
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) { return (unsigned)(((unsigned long long)hi << 32 | lo) >> (s & 31)); }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
static inline unsigned __sad(int a, int b, unsigned c) { return c + (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b); }
static inline int __dp4a(int a, int b, int c) { for (int k = 0; k < 4; ++k) c += (signed char)(a >> 8 * k) * (signed char)(b >> 8 * k); return c; }
template <class T> static inline T __ldg(const T* p) { return *p; }
template <class T> static inline T __ldcg(const T* p) { return *p; }
template <class T> static inline T __ldcs(const T* p) { return *p; }
template <class T> static inline void __stcg(T* p, typename softcuda_same<T>::type v) { *p = v; }
template <class T> static inline void __stcs(T* p, typename softcuda_same<T>::type v) { *p = v; }

// Conversions, with what the hardware gives for NaN.
template <class To, class From> static inline To softcuda_convert(From x, To least, To most, To nan) {
    return x != x ? nan : x <= (From)least ? least : x >= (From)most ? most : (To)x;
}
#define SOFTCUDA_CONVERT(FROM, F, ROUND, SUFFIX) \
    static inline int __##FROM##2int_##SUFFIX(FROM x) { return softcuda_convert<int>(ROUND(x), -2147483647 - 1, 2147483647, sizeof(FROM) == 4 ? 0 : -2147483647 - 1); } \
    static inline unsigned __##FROM##2uint_##SUFFIX(FROM x) { return softcuda_convert<unsigned>(ROUND(x), 0, 4294967295u, sizeof(FROM) == 4 ? 0 : 0x80000000u); } \
    static inline long long __##FROM##2ll_##SUFFIX(FROM x) { return softcuda_convert<long long>(ROUND(x), -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1); } \
    static inline unsigned long long __##FROM##2ull_##SUFFIX(FROM x) { return softcuda_convert<unsigned long long>(ROUND(x), 0, 18446744073709551615ull, 1ull << 63); }
SOFTCUDA_CONVERT(float, f, __builtin_truncf, rz)
SOFTCUDA_CONVERT(float, f, __builtin_floorf, rd)
SOFTCUDA_CONVERT(float, f, __builtin_ceilf, ru)
SOFTCUDA_CONVERT(float, f, __builtin_rintf, rn)
SOFTCUDA_CONVERT(double, , __builtin_trunc, rz)
SOFTCUDA_CONVERT(double, , __builtin_floor, rd)
SOFTCUDA_CONVERT(double, , __builtin_ceil, ru)
SOFTCUDA_CONVERT(double, , __builtin_rint, rn)
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __ll2float_rn(long long x) { return (float)x; }
static inline float __ull2float_rn(unsigned long long x) { return (float)x; }
static inline double __int2double_rn(int x) { return x; }
static inline double __uint2double_rn(unsigned x) { return x; }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline double __ull2double_rn(unsigned long long x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }

// Arithmetic that no compiler contracts.
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __drcp_rn(double a) { return 1.0 / a; }
static inline double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// Mathematics: `f(double)`, `f(float)` and `ff(float)`.
#define SOFTCUDA_MATH1(F) \
    static inline double F(double x) { return __builtin_##F(x); } \
    static inline float F(float x) { return __builtin_##F##f(x); } \
    static inline float F##f(float x) { return __builtin_##F##f(x); }
#define SOFTCUDA_MATH2(F) \
    static inline double F(double x, double y) { return __builtin_##F(x, y); } \
    static inline float F(float x, float y) { return __builtin_##F##f(x, y); } \
    static inline float F##f(float x, float y) { return __builtin_##F##f(x, y); }
SOFTCUDA_MATH1(sqrt) SOFTCUDA_MATH1(cbrt) SOFTCUDA_MATH1(exp) SOFTCUDA_MATH1(exp2) SOFTCUDA_MATH1(exp10) SOFTCUDA_MATH1(expm1)
SOFTCUDA_MATH1(log) SOFTCUDA_MATH1(log2) SOFTCUDA_MATH1(log10) SOFTCUDA_MATH1(log1p) SOFTCUDA_MATH1(logb)
SOFTCUDA_MATH1(sin) SOFTCUDA_MATH1(cos) SOFTCUDA_MATH1(tan) SOFTCUDA_MATH1(asin) SOFTCUDA_MATH1(acos) SOFTCUDA_MATH1(atan)
SOFTCUDA_MATH1(sinh) SOFTCUDA_MATH1(cosh) SOFTCUDA_MATH1(tanh) SOFTCUDA_MATH1(asinh) SOFTCUDA_MATH1(acosh) SOFTCUDA_MATH1(atanh)
SOFTCUDA_MATH1(floor) SOFTCUDA_MATH1(ceil) SOFTCUDA_MATH1(trunc) SOFTCUDA_MATH1(round) SOFTCUDA_MATH1(rint) SOFTCUDA_MATH1(nearbyint)
SOFTCUDA_MATH1(fabs) SOFTCUDA_MATH1(erf) SOFTCUDA_MATH1(erfc) SOFTCUDA_MATH1(tgamma) SOFTCUDA_MATH1(lgamma)
SOFTCUDA_MATH1(j0) SOFTCUDA_MATH1(j1) SOFTCUDA_MATH1(y0) SOFTCUDA_MATH1(y1)
SOFTCUDA_MATH2(pow) SOFTCUDA_MATH2(fmod) SOFTCUDA_MATH2(remainder) SOFTCUDA_MATH2(hypot) SOFTCUDA_MATH2(atan2) SOFTCUDA_MATH2(fmin)
SOFTCUDA_MATH2(fmax) SOFTCUDA_MATH2(fdim) SOFTCUDA_MATH2(copysign) SOFTCUDA_MATH2(nextafter)
static inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double ldexp(double x, int e) { return __builtin_ldexp(x, e); }
static inline float ldexpf(float x, int e) { return __builtin_ldexpf(x, e); }
static inline double frexp(double x, int* e) { return __builtin_frexp(x, e); }
static inline float frexpf(float x, int* e) { return __builtin_frexpf(x, e); }
static inline double modf(double x, double* i) { return __builtin_modf(x, i); }
static inline float modff(float x, float* i) { return __builtin_modff(x, i); }
static inline void sincos(double x, double* s, double* c) { *s = __builtin_sin(x); *c = __builtin_cos(x); }
static inline void sincosf(float x, float* s, float* c) { *s = __builtin_sinf(x); *c = __builtin_cosf(x); }
static inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static inline float rsqrtf(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }
static inline float __frsqrt_rn(float x) { return rsqrtf(x); }
static inline double sinpi(double x) { return __builtin_sin(3.14159265358979323846 * x); }
static inline float sinpif(float x) { return (float)__builtin_sin(3.14159265358979323846 * x); }
static inline double cospi(double x) { return __builtin_cos(3.14159265358979323846 * x); }
static inline float cospif(float x) { return (float)__builtin_cos(3.14159265358979323846 * x); }
static inline float __sinf(float x) { return __builtin_sinf(x); }
static inline float __cosf(float x) { return __builtin_cosf(x); }
static inline float __tanf(float x) { return __builtin_tanf(x); }
static inline float __expf(float x) { return __builtin_expf(x); }
static inline float __exp10f(float x) { return __builtin_exp10f(x); }
static inline float __logf(float x) { return __builtin_logf(x); }
static inline float __log2f(float x) { return __builtin_log2f(x); }
static inline float __log10f(float x) { return __builtin_log10f(x); }
static inline float __powf(float x, float y) { return __builtin_powf(x, y); }
static inline float fdividef(float a, float b) { return a / b; }
template <class T> static inline bool isnan(T x) { return x != x; }
template <class T> static inline bool isinf(T x) { return __builtin_isinf(x); }
template <class T> static inline bool isfinite(T x) { return __builtin_isfinite(x); }
template <class T> static inline bool signbit(T x) { return __builtin_signbit(x); }
static inline int abs(int x) { return x < 0 ? -x : x; }
static inline long long abs(long long x) { return x < 0 ? -x : x; }
static inline long long llabs(long long x) { return x < 0 ? -x : x; }
static inline float abs(float x) { return __builtin_fabsf(x); }
static inline double abs(double x) { return __builtin_fabs(x); }
static inline int __sgn(int x) { return (x > 0) - (x < 0); }
#define SOFTCUDA_ORDER(T) \
    static inline T min(T a, T b) { return b < a ? b : a; } \
    static inline T max(T a, T b) { return a < b ? b : a; }
SOFTCUDA_ORDER(int) SOFTCUDA_ORDER(unsigned) SOFTCUDA_ORDER(long) SOFTCUDA_ORDER(unsigned long) SOFTCUDA_ORDER(long long) SOFTCUDA_ORDER(unsigned long long)
static inline float min(float a, float b) { return __builtin_fminf(a, b); }
static inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
static inline double min(double a, double b) { return __builtin_fmin(a, b); }
static inline double max(double a, double b) { return __builtin_fmax(a, b); }
static inline float fabsf_(float x) { return __builtin_fabsf(x); }

// The table of kernels.
struct softcuda_parameter { unsigned size; unsigned pointer; };
struct softcuda_kernel {
    const char* name;
    void* function;
    void (*thread)(void** args);
    void (*blocks)(void** args, unsigned long long first, unsigned long long count);
    const softcuda_parameter* parameters;
    unsigned count, bounds;
};
template <size_t... I> struct softcuda_indices {};
template <size_t N, size_t... I> struct softcuda_count : softcuda_count<N - 1, N - 1, I...> {};
template <size_t... I> struct softcuda_count<0, I...> { using type = softcuda_indices<I...>; };
template <class T> struct softcuda_is_pointer { enum { value = 0 }; };
template <class T> struct softcuda_is_pointer<T*> { enum { value = 1 }; };
template <class T> struct softcuda_is_pointer<T* const> { enum { value = 1 }; };
template <class T> struct softcuda_is_pointer<T* __restrict__> { enum { value = 1 }; };
// Hidden, since two modules may have structs of one name and kernels of one name that take them.
template <class F, F* f> struct __attribute__((visibility("hidden"))) softcuda_entry;
template <class... A, void (*f)(A...)> struct __attribute__((visibility("hidden"))) softcuda_entry<void(A...), f> {
    static constexpr softcuda_parameter parameters[sizeof...(A) + 1] = {{(unsigned)sizeof(A), softcuda_is_pointer<A>::value}..., {0, 0}};
    template <size_t... I> static void call(void** args, softcuda_indices<I...>) { f(*(A*)args[I]...); }
    static void thread(void** args) { call(args, typename softcuda_count<sizeof...(A)>::type()); }
    // Every thread of some blocks, one after another: for kernels whose threads never wait for each other.
    static void blocks(void** args, unsigned long long first, unsigned long long count) {
        softcuda_context& self = softcuda_self;
        const dim3 grid = self.grid_dim, block = self.block_dim;
        for (unsigned long long b = first; b < first + count; ++b) {
            self.block = {(unsigned)(b % grid.x), (unsigned)(b / grid.x % grid.y), (unsigned)(b / grid.x / grid.y)};
            for (unsigned z = 0; z < block.z; ++z)
                for (unsigned y = 0; y < block.y; ++y)
                    for (unsigned x = 0; x < block.x; ++x) {
                        self.thread = {x, y, z};
                        call(args, typename softcuda_count<sizeof...(A)>::type());
                    }
        }
    }
};
#define SOFTCUDA_KERNEL(NAME, BOUNDS) \
    {#NAME, (void*)&NAME, softcuda_entry<decltype(NAME), &NAME>::thread, softcuda_entry<decltype(NAME), &NAME>::blocks, \
        softcuda_entry<decltype(NAME), &NAME>::parameters, sizeof(softcuda_entry<decltype(NAME), &NAME>::parameters) / sizeof(softcuda_parameter) - 1, BOUNDS},
