#!/usr/bin/env python3
"""Times CUDA C by hand that swathe does not write, with CuPy: does it pay? Writes $OUT/probes.json.

mat3        elements of 36 bytes: one a thread, two, four, or whole lines through shared memory
vec3        elements of 12 bytes, likewise
histogram   copies in shared memory: several keys in flight
p2g         particles to a grid: additions to a vector by one instruction (compute capability 9.0)
nbody       a long loop in each thread, unrolled; rounded and approximate roots
"""

import json
import os

import cupy as cp
import numpy as np

dev = cp.cuda.Device()
sms = dev.attributes["MultiProcessorCount"]
print(cp.cuda.runtime.getDeviceProperties(0)["name"], sms, flush=True)


def bench(f, reps=20, rounds=7):
    for _ in range(3):
        f()
    ts = []
    for _ in range(rounds):
        a, b = cp.cuda.Event(), cp.cuda.Event()
        a.record()
        for _ in range(reps):
            f()
        b.record()
        b.synchronize()
        ts.append(cp.cuda.get_elapsed_time(a, b) / reps * 1e3)
    return sorted(ts)[len(ts) // 2]


out = {}


def show(name, us, note=""):
    out[name] = us
    print(f"{name:44s} {us:9.2f} us  {note}", flush=True)


SRC = r"""
__device__ __forceinline__ void one(const float *a, const float *b, float *c, float *v, float *det) {
#pragma unroll
    for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int k = 0; k < 3; ++k)
            c[3 * r + k] = a[3 * r] * b[k] + a[3 * r + 1] * b[3 + k] + a[3 * r + 2] * b[6 + k];
    const float m0 = a[4] * a[8] - a[5] * a[7], m1 = a[5] * a[6] - a[3] * a[8], m2 = a[3] * a[7] - a[4] * a[6];
    *det = a[0] * m0 + a[1] * m1 + a[2] * m2;
    const float d = 1.0f / *det;
    v[0] = m0 * d; v[1] = (a[2] * a[7] - a[1] * a[8]) * d; v[2] = (a[1] * a[5] - a[2] * a[4]) * d;
    v[3] = m1 * d; v[4] = (a[0] * a[8] - a[2] * a[6]) * d; v[5] = (a[2] * a[3] - a[0] * a[5]) * d;
    v[6] = m2 * d; v[7] = (a[1] * a[6] - a[0] * a[7]) * d; v[8] = (a[0] * a[4] - a[1] * a[3]) * d;
}
extern "C" __global__ void plain(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float *__restrict__ v, float *__restrict__ det, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float A[9], B[9], C[9], V[9], D;
#pragma unroll
    for (int k = 0; k < 9; ++k) { A[k] = a[i * 9 + k]; B[k] = b[i * 9 + k]; }
    one(A, B, C, V, &D); det[i] = D;
#pragma unroll
    for (int k = 0; k < 9; ++k) c[i * 9 + k] = C[k];
#pragma unroll
    for (int k = 0; k < 9; ++k) v[i * 9 + k] = V[k];
    }
}
extern "C" __global__ void plain_coherent(const float *a, const float *b, float *c, float *v, float *det, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float A[9], B[9], C[9], V[9], D;
#pragma unroll
    for (int k = 0; k < 9; ++k) { A[k] = ((const volatile float*)a)[i * 9 + k]; }
#pragma unroll
    for (int k = 0; k < 9; ++k) { B[k] = ((const volatile float*)b)[i * 9 + k]; }
    one(A, B, C, V, &D); det[i] = D;
#pragma unroll
    for (int k = 0; k < 9; ++k) c[i * 9 + k] = C[k];
#pragma unroll
    for (int k = 0; k < 9; ++k) v[i * 9 + k] = V[k];
    }
}
extern "C" __global__ void aos_thread2(const float2 *__restrict__ a, const float2 *__restrict__ b, float2 *__restrict__ c, float2 *__restrict__ v, float2 *__restrict__ det, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * blockDim.x) {
    float A[18], B[18], C[18], V[18], D[2];
#pragma unroll
    for (int k = 0; k < 9; ++k) { float2 q = a[i * 9 + k]; A[2*k] = q.x; A[2*k+1] = q.y; q = b[i * 9 + k]; B[2*k] = q.x; B[2*k+1] = q.y; }
    one(A, B, C, V, D); one(A + 9, B + 9, C + 9, V + 9, D + 1);
    det[i] = make_float2(D[0], D[1]);
#pragma unroll
    for (int k = 0; k < 9; ++k) { c[i * 9 + k] = make_float2(C[2*k], C[2*k+1]); v[i * 9 + k] = make_float2(V[2*k], V[2*k+1]); }
    }
}
extern "C" __global__ void aos_thread4(const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ c, float4 *__restrict__ v, float4 *__restrict__ det, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    float A[36], B[36], C[36], V[36], D[4];
#pragma unroll
    for (int k = 0; k < 9; ++k) { float4 q = a[i * 9 + k]; A[4*k] = q.x; A[4*k+1] = q.y; A[4*k+2] = q.z; A[4*k+3] = q.w; q = b[i * 9 + k]; B[4*k] = q.x; B[4*k+1] = q.y; B[4*k+2] = q.z; B[4*k+3] = q.w; }
#pragma unroll
    for (int k = 0; k < 4; ++k) one(A + 9*k, B + 9*k, C + 9*k, V + 9*k, D + k);
    det[i] = make_float4(D[0], D[1], D[2], D[3]);
#pragma unroll
    for (int k = 0; k < 9; ++k) { c[i * 9 + k] = make_float4(C[4*k], C[4*k+1], C[4*k+2], C[4*k+3]); v[i * 9 + k] = make_float4(V[4*k], V[4*k+1], V[4*k+2], V[4*k+3]); }
    }
}
// Each warp moves its 32 elements by whole lines through shared memory.
extern "C" __global__ void warp_staged(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float *__restrict__ v, float *__restrict__ det, int n) {
    __shared__ float room[8][2][288];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    float *sa = room[w][0], *sb = room[w][1];
    for (int first = (blockIdx.x * blockDim.x + threadIdx.x) - lane; first < n; first += gridDim.x * blockDim.x) {
    float A[9], B[9], C[9], V[9], D;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 9; ++k) { sa[k * 32 + lane] = a[first * 9 + k * 32 + lane]; sb[k * 32 + lane] = b[first * 9 + k * 32 + lane]; }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 9; ++k) { A[k] = sa[lane * 9 + k]; B[k] = sb[lane * 9 + k]; }
    one(A, B, C, V, &D); det[first + lane] = D;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 9; ++k) { sa[lane * 9 + k] = C[k]; sb[lane * 9 + k] = V[k]; }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 9; ++k) { c[first * 9 + k * 32 + lane] = sa[k * 32 + lane]; v[first * 9 + k * 32 + lane] = sb[k * 32 + lane]; }
    }
}
// Stores alone staged.
extern "C" __global__ void store_staged(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float *__restrict__ v, float *__restrict__ det, int n) {
    __shared__ float room[8][2][288];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    float *sa = room[w][0], *sb = room[w][1];
    for (int first = (blockIdx.x * blockDim.x + threadIdx.x) - lane; first < n; first += gridDim.x * blockDim.x) {
    float A[9], B[9], C[9], V[9], D; int i = first + lane;
#pragma unroll
    for (int k = 0; k < 9; ++k) { A[k] = a[i * 9 + k]; B[k] = b[i * 9 + k]; }
    one(A, B, C, V, &D); det[i] = D;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 9; ++k) { sa[lane * 9 + k] = C[k]; sb[lane * 9 + k] = V[k]; }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 9; ++k) { c[first * 9 + k * 32 + lane] = sa[k * 32 + lane]; v[first * 9 + k * 32 + lane] = sb[k * 32 + lane]; }
    __syncwarp();
    }
}
"""
m = cp.RawModule(code=SRC, options=("--std=c++17",))
for n in (1 << 20, 1 << 22):
    a = cp.random.rand(n, 9, dtype=cp.float32) + cp.eye(3, dtype=cp.float32).reshape(9) * 2
    b = cp.random.rand(n, 9, dtype=cp.float32)
    c = cp.zeros_like(a)
    v = cp.zeros_like(a)
    d = cp.zeros(n, cp.float32)
    bytes_ = n * 148
    ref = None
    for name, per in (
        ("plain", 1),
        ("plain_coherent", 1),
        ("aos_thread2", 2),
        ("aos_thread4", 4),
        ("warp_staged", 1),
        ("store_staged", 1),
    ):
        f = m.get_function(name)
        for bs in (128, 256):
            if "staged" in name and bs != 256:
                continue
            for g in (0, 32, 8):
                grid = (n // per + bs - 1) // bs if g == 0 else sms * g
                c.fill(0)
                v.fill(0)
                d.fill(0)
                f((grid,), (bs,), (a, b, c, v, d, np.int32(n)))
                r = (c.copy(), v.copy(), d.copy())
                if ref is None:
                    ref = r
                ok = all(bool(cp.allclose(x, y, rtol=1e-4, atol=1e-4)) for x, y in zip(ref, r))
                t = bench(lambda: f((grid,), (bs,), (a, b, c, v, d, np.int32(n))))
                show(
                    f"mat3 n={n} {name} block {bs} grid {g or 'all'}",
                    t,
                    f"{bytes_/t/1e3:7.0f} GB/s {n/t:8.0f} Mmat/s {'ok' if ok else 'WRONG'} regs {f.num_regs}",
                )
del a, b, c, v

V3 = r"""
extern "C" __global__ void v3plain(float s, const float *__restrict__ x, float *__restrict__ y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float a = x[3*i], b = x[3*i+1], c = x[3*i+2], l = 1.0f / sqrtf(a*a+b*b+c*c);
        y[3*i] += s*a*l; y[3*i+1] += s*b*l; y[3*i+2] += s*c*l; }
}
extern "C" __global__ void v3by4(float s, const float4 *__restrict__ x, float4 *__restrict__ y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n/4; i += gridDim.x * blockDim.x) {
        float X[12], Y[12];
#pragma unroll
        for (int k = 0; k < 3; ++k) { float4 q = x[3*i+k]; X[4*k]=q.x; X[4*k+1]=q.y; X[4*k+2]=q.z; X[4*k+3]=q.w; q = y[3*i+k]; Y[4*k]=q.x; Y[4*k+1]=q.y; Y[4*k+2]=q.z; Y[4*k+3]=q.w; }
#pragma unroll
        for (int k = 0; k < 4; ++k) { float a=X[3*k],b=X[3*k+1],c=X[3*k+2],l=1.0f/sqrtf(a*a+b*b+c*c); Y[3*k]+=s*a*l; Y[3*k+1]+=s*b*l; Y[3*k+2]+=s*c*l; }
#pragma unroll
        for (int k = 0; k < 3; ++k) y[3*i+k] = make_float4(Y[4*k],Y[4*k+1],Y[4*k+2],Y[4*k+3]); }
}
extern "C" __global__ void v3staged(float s, const float *__restrict__ x, float *__restrict__ y, int n) {
    __shared__ float room[8][2][96];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    float *sx = room[w][0], *sy = room[w][1];
    for (int first = (blockIdx.x * blockDim.x + threadIdx.x) - lane; first < n; first += gridDim.x * blockDim.x) {
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 3; ++k) { sx[k*32+lane] = x[first*3+k*32+lane]; sy[k*32+lane] = y[first*3+k*32+lane]; }
        __syncwarp();
        float a = sx[3*lane], b = sx[3*lane+1], c = sx[3*lane+2], l = 1.0f / sqrtf(a*a+b*b+c*c);
        float p = sy[3*lane]+s*a*l, q = sy[3*lane+1]+s*b*l, r = sy[3*lane+2]+s*c*l;
        sy[3*lane]=p; sy[3*lane+1]=q; sy[3*lane+2]=r;
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 3; ++k) y[first*3+k*32+lane] = sy[k*32+lane];
    }
}
"""
m = cp.RawModule(code=V3, options=("--std=c++17",))
n = 1 << 24
x = cp.random.rand(n, 3, dtype=cp.float32) + 0.1
y = cp.zeros_like(x)
for name, per in (("v3plain", 1), ("v3by4", 4), ("v3staged", 1)):
    f = m.get_function(name)
    for g in (0, 32, 8):
        grid = (n // per + 255) // 256 if g == 0 else sms * g
        t = bench(lambda: f((grid,), (256,), (np.float32(1e-6), x, y, np.int32(n))))
        show(f"vec3 {name} grid {g or 'all'}", t, f"{n*36/t/1e3:7.0f} GB/s")
del x, y

H = r"""
template<int U, bool V4> __device__ void hist(const int *__restrict__ keys, int *h, int n) {
    __shared__ int t[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) t[k] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (V4) {
        for (; i < n / 4; i += stride) { int4 q = ((const int4*)keys)[i]; atomicAdd(t + q.x, 1); atomicAdd(t + q.y, 1); atomicAdd(t + q.z, 1); atomicAdd(t + q.w, 1); }
    } else {
        for (; i + (U-1) * stride < n; i += U * stride) {
            int q[U];
#pragma unroll
            for (int u = 0; u < U; ++u) q[u] = keys[i + u * stride];
#pragma unroll
            for (int u = 0; u < U; ++u) atomicAdd(t + q[u], 1);
        }
        for (; i < n; i += stride) atomicAdd(t + keys[i], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) if (t[k]) atomicAdd(h + k, t[k]);
}
extern "C" __global__ void h1(const int *k, int *h, int n) { hist<1,false>(k,h,n); }
extern "C" __global__ void h2(const int *k, int *h, int n) { hist<2,false>(k,h,n); }
extern "C" __global__ void h4(const int *k, int *h, int n) { hist<4,false>(k,h,n); }
extern "C" __global__ void h8(const int *k, int *h, int n) { hist<8,false>(k,h,n); }
extern "C" __global__ void hv(const int *k, int *h, int n) { hist<1,true>(k,h,n); }
"""
m = cp.RawModule(code=H, options=("--std=c++17",))
n = 1 << 24
keys = cp.random.randint(0, 256, n, dtype=cp.int32)
h = cp.zeros(256, cp.int32)
for name in ("h1", "h2", "h4", "h8", "hv"):
    f = m.get_function(name)
    for bs in (256, 512, 1024):
        for g in (2, 4, 8, 16, 32):
            t = bench(lambda: f((sms * g,), (bs,), (keys, h, np.int32(n))))
            show(f"histogram {name} block {bs} grid {g}", t, f"{n/t:9.0f} Melem/s")
del keys

P = r"""
struct S { int bi, bj; float fx, fy, wx[3], wy[3];
  __device__ static void weights(float f, float *w) { w[0]=0.5f*(1.5f-f)*(1.5f-f); w[1]=0.75f-(f-1.0f)*(f-1.0f); w[2]=0.5f*(f-0.5f)*(f-0.5f); }
  __device__ S(float2 x, float inv) { float px=x.x*inv, py=x.y*inv; bi=(int)(px-0.5f); bj=(int)(py-0.5f); fx=px-bi; fy=py-bj; weights(fx,wx); weights(fy,wy); } };
template<int MODE> __device__ void p2g_(const float2 *__restrict__ x, const float2 *__restrict__ v, const float4 *__restrict__ c, const float *__restrict__ jac, float *gv, float *gm, int np, int n, float dt, float e) {
    int p = blockIdx.x * blockDim.x + threadIdx.x; if (p >= np) return;
    const float inv=(float)n, dx=1.0f/inv, mass=0.25f*dx*dx; S s(x[p],inv);
    const float stress=-4.0f*dt*e*mass*inv*inv*(jac[p]-1.0f); const float4 C=c[p];
    const float a00=mass*C.x+stress,a01=mass*C.y,a10=mass*C.z,a11=mass*C.w+stress,mx=mass*v[p].x,my=mass*v[p].y;
#pragma unroll
    for (int i=0;i<3;++i)
#pragma unroll
        for (int k=0;k<3;++k) {
            float dpx=(i-s.fx)*dx,dpy=(k-s.fy)*dx,w=s.wx[i]*s.wy[k]; int cell=(s.bi+i)*n+s.bj+k;
            float ux=w*(mx+a00*dpx+a01*dpy), uy=w*(my+a10*dpx+a11*dpy), um=w*mass;
            if (MODE==0) { atomicAdd(gv+2*cell,ux); atomicAdd(gv+2*cell+1,uy); atomicAdd(gm+cell,um); }
            if (MODE==1) { asm volatile("red.global.add.v2.f32 [%0], {%1,%2};" :: "l"(gv+2*cell), "f"(ux), "f"(uy) : "memory"); atomicAdd(gm+cell,um); }
            if (MODE==2) { asm volatile("red.global.add.v4.f32 [%0], {%1,%2,%3,%4};" :: "l"(gv+4*cell), "f"(ux), "f"(uy), "f"(um), "f"(0.0f) : "memory"); }
        }
}
extern "C" __global__ void p2g0(const float2 *x,const float2 *v,const float4 *c,const float *jac,float *gv,float *gm,int np,int n,float dt,float e){p2g_<0>(x,v,c,jac,gv,gm,np,n,dt,e);}
extern "C" __global__ void p2g1(const float2 *x,const float2 *v,const float4 *c,const float *jac,float *gv,float *gm,int np,int n,float dt,float e){p2g_<1>(x,v,c,jac,gv,gm,np,n,dt,e);}
extern "C" __global__ void p2g2(const float2 *x,const float2 *v,const float4 *c,const float *jac,float *gv,float *gm,int np,int n,float dt,float e){p2g_<2>(x,v,c,jac,gv,gm,np,n,dt,e);}
"""
try:
    m = cp.RawModule(code=P, options=("--std=c++17",))
    for np_, n in ((65536, 256), (1 << 20, 1024), (1 << 22, 512)):
        x = 0.25 + 0.375 * cp.random.rand(np_, 2, dtype=cp.float32)
        v = cp.random.rand(np_, 2, dtype=cp.float32)
        c = cp.random.rand(np_, 4, dtype=cp.float32)
        jac = cp.ones(np_, cp.float32)
        ref = None
        for name in ("p2g0", "p2g1", "p2g2"):
            gv = cp.zeros((n * n, 4 if name == "p2g2" else 2), cp.float32)
            gm = cp.zeros(n * n, cp.float32)
            f = m.get_function(name)
            args = (x, v, c, jac, gv, gm, np.int32(np_), np.int32(n), np.float32(1e-4), np.float32(400))
            f(((np_ + 127) // 128,), (128,), args)
            r = gv[:, :2].copy()
            ref = r if ref is None else ref
            ok = bool(cp.allclose(ref, r, rtol=1e-2, atol=float(abs(ref).max()) * 1e-4))
            t = bench(lambda: f(((np_ + 127) // 128,), (128,), args))
            show(f"p2g {np_} particles grid {n} {name}", t, f"{np_/t:8.0f} Mpart/s {'ok' if ok else 'WRONG'}")
except Exception as error:
    print("p2g:", str(error)[:800])
NB = r"""
template<int U, int MODE> __device__ void nb(const float *__restrict__ p, const float *__restrict__ m, float *__restrict__ acc, int n, float eps2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2], ax = 0, ay = 0, az = 0;
#pragma unroll U
    for (int j = 0; j < n; ++j) {
        float dx = p[3 * j] - x, dy = p[3 * j + 1] - y, dz = p[3 * j + 2] - z;
        float r2 = dx * dx + dy * dy + dz * dz + eps2, s;
        if (MODE == 0) { float inv = rsqrtf(r2); s = m[j] * inv * inv * inv; }
        if (MODE == 1) { float inv = 1.0f / sqrtf(r2); s = m[j] * inv * inv * inv; }
        if (MODE == 2) { float inv; asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inv) : "f"(r2)); s = m[j] * inv * inv * inv; }
        if (MODE == 3) { // 1/sqrt by one Newton step from the approximation, without branches
            float q; asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(q) : "f"(r2)); float g = r2 * q, h = 0.5f * q; float e = fmaf(-g, h, 0.5f); float inv = fmaf(q, e, q); s = m[j] * inv * inv * inv; }
        ax += s * dx; ay += s * dy; az += s * dz;
    }
    acc[3 * i] = ax; acc[3 * i + 1] = ay; acc[3 * i + 2] = az;
}
#define K(U,M) extern "C" __global__ void nb_##U##_##M(const float *p, const float *m, float *acc, int n, float e) { nb<U,M>(p,m,acc,n,e); }
K(1,0) K(4,0) K(8,0) K(16,0) K(4,1) K(8,1) K(16,1) K(4,2) K(8,2) K(16,2) K(8,3) K(16,3)
"""
m = cp.RawModule(code=NB, options=("--std=c++17",))
n = 8192
p = cp.random.rand(n, 3, dtype=cp.float32)
ms = cp.random.rand(n, dtype=cp.float32)
acc = cp.zeros((n, 3), cp.float32)
for name in ("1_0", "4_0", "8_0", "16_0", "4_1", "8_1", "16_1", "4_2", "8_2", "16_2", "8_3", "16_3"):
    f = m.get_function("nb_" + name)
    for bs in (64, 128):
        t = bench(
            lambda: f(((n + bs - 1) // bs,), (bs,), (p, ms, acc, np.int32(n), np.float32(1e-3))), reps=5, rounds=3
        )
        show(f"nbody unroll_mode {name} block {bs}", t, f"{n*n/t/1e3:8.1f} Ginter/s regs {f.num_regs}")
json.dump(out, open(os.path.join(os.environ.get("OUT", "."), "probes.json"), "w"), indent=1)
