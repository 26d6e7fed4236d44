// What CUDA has beyond C++, as far as the table of scalar methods uses it.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#define __device__
#define __forceinline__ inline
template <class To, class From> static To bits_to(From x) { To r = To(); std::memcpy(&r, &x, sizeof r < sizeof x ? sizeof r : sizeof x); return r; }
static unsigned __float_as_uint(float x) { return bits_to<unsigned>(x); }
static float __uint_as_float(unsigned x) { return bits_to<float>(x); }
static long long __double_as_longlong(double x) { return bits_to<long long>(x); }
static double __longlong_as_double(long long x) { return bits_to<double>(x); }
static int __popc(unsigned x) { return __builtin_popcount(x); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
static int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
static unsigned long long __brevll(unsigned long long x) { unsigned long long r = 0; for (int k = 0; k < 64; k++) r |= (x >> k & 1) << (63 - k); return r; }
static unsigned __brev(unsigned x) { return __brevll(x) >> 32; }
// What the conversion instructions do with NaN is not asked: except from float to 32 bits, the texts guard against it.
#define CONVERT(name, From, To, least, above) static To name(From x) { if (x != x) return sizeof(From) == 4 && sizeof(To) == 4 ? 0 : 0x55; \
    return x < (From)(least) ? (To)(least) : x >= (From)(above) ? (To)((unsigned long long)(above) - 1) : (To)x; }
CONVERT(__float2int_rz, float, int, -2147483648.0, 2147483648.0)
CONVERT(__double2int_rz, double, int, -2147483648.0, 2147483648.0)
CONVERT(__float2uint_rz, float, unsigned, 0, 4294967296.0)
CONVERT(__double2uint_rz, double, unsigned, 0, 4294967296.0)
CONVERT(__float2ll_rz, float, long long, -9223372036854775808.0, 9223372036854775808.0)
CONVERT(__double2ll_rz, double, long long, -9223372036854775808.0, 9223372036854775808.0)
static unsigned long long __double2ull_rz(double x) { return x != x ? 0x55 : x < 0 ? 0 : x >= 18446744073709551616.0 ? ~0ull : (unsigned long long)x; }
static unsigned long long __float2ull_rz(float x) { return __double2ull_rz(x); }
