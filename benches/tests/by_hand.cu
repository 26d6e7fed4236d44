// The workloads as CUDA C that is written by hand: loops that stride over the grid, positions of 32 bits, what is read
// through the read-only path, wide accesses where elements are aligned, no checks.

typedef unsigned u32;

#define AT_X (blockIdx.x * blockDim.x + threadIdx.x)
#define AT_Y (blockIdx.y * blockDim.y + threadIdx.y)
#define BY_X (gridDim.x * blockDim.x)
#define BY_Y (gridDim.y * blockDim.y)

extern "C" __global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, u32 n) {
    for (u32 i = AT_X; i < n; i += BY_X) y[i] += a * x[i];
}

extern "C" __global__ void copy(const float* __restrict__ from, float* __restrict__ to, u32 n) {
    for (u32 i = AT_X; i < n; i += BY_X) to[i] = from[i];
}

extern "C" __global__ void relax(const float* __restrict__ u, float* __restrict__ out, u32 h, u32 w) {
    for (u32 i = AT_Y; i < h; i += BY_Y)
        for (u32 j = AT_X; j < w; j += BY_X)
            if (i > 0 && j > 0 && i + 1 < h && j + 1 < w) {
                const float* c = &u[i * w + j];
                out[i * w + j] = 0.5f * c[0] + 0.125f * (u[(i - 1) * w + j] + u[(i + 1) * w + j] + c[-1] + c[1]);
            }
}

extern "C" __global__ void gravity(const float* __restrict__ pos, const float* __restrict__ mass, float* __restrict__ acc, u32 n) {
    for (u32 i = AT_X; i < n; i += BY_X) {
        const float x = pos[3 * i], y = pos[3 * i + 1], z = pos[3 * i + 2];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (u32 j = 0; j < n; ++j) {
            const float dx = pos[3 * j] - x, dy = pos[3 * j + 1] - y, dz = pos[3 * j + 2] - z;
            const float r2 = dx * dx + dy * dy + dz * dz + 1e-4f;
            const float s = mass[j] / (r2 * sqrtf(r2));
            ax += dx * s; ay += dy * s; az += dz * s;
        }
        acc[3 * i] = ax; acc[3 * i + 1] = ay; acc[3 * i + 2] = az;
    }
}

// The reciprocal root instead of a root and a division.
extern "C" __global__ void gravity_fast(const float* __restrict__ pos, const float* __restrict__ mass, float* __restrict__ acc, u32 n) {
    for (u32 i = AT_X; i < n; i += BY_X) {
        const float x = pos[3 * i], y = pos[3 * i + 1], z = pos[3 * i + 2];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (u32 j = 0; j < n; ++j) {
            const float dx = pos[3 * j] - x, dy = pos[3 * j + 1] - y, dz = pos[3 * j + 2] - z;
            const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
            const float s = mass[j] * inv * inv * inv;
            ax += dx * s; ay += dy * s; az += dz * s;
        }
        acc[3 * i] = ax; acc[3 * i + 1] = ay; acc[3 * i + 2] = az;
    }
}

static __device__ __forceinline__ float block_sum(float v) {
    __shared__ float part[32];
    const u32 thread = threadIdx.x, warps = blockDim.x / 32;
    for (u32 o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if (thread % 32 == 0) part[thread / 32] = v;
    __syncthreads();
    v = thread < warps ? part[thread] : 0.0f;
    if (thread < 32) for (u32 o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    return v;
}

// Four loads are on their way at once.
extern "C" __global__ void sum_0(const float* __restrict__ x, u32 n, float* __restrict__ out) {
    float s = 0.0f;
    const u32 step = BY_X;
    u32 i = AT_X;
    for (; i + 3 * step < n; i += 4 * step) {
        const float a = x[i], b = x[i + step], c = x[i + 2 * step], d = x[i + 3 * step];
        s += a; s += b; s += c; s += d;
    }
    #pragma unroll 1
    for (; i < n; i += step) s += x[i];
    s = block_sum(s);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}

extern "C" __global__ void dot_0(const float* __restrict__ x, const float* __restrict__ y, u32 n, float* __restrict__ out) {
    float s = 0.0f;
    const u32 step = BY_X;
    u32 i = AT_X;
    for (; i + 3 * step < n; i += 4 * step) {
        const float a = x[i], b = x[i + step], c = x[i + 2 * step], d = x[i + 3 * step];
        const float e = y[i], f = y[i + step], g = y[i + 2 * step], h = y[i + 3 * step];
        s += a * e; s += b * f; s += c * g; s += d * h;
    }
    #pragma unroll 1
    for (; i < n; i += step) s += x[i] * y[i];
    s = block_sum(s);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}

extern "C" __global__ void mandelbrot(int* __restrict__ count, u32 h, u32 w) {
    const float step = 3.0f / (float)w;
    for (u32 i = AT_Y; i < h; i += BY_Y)
        for (u32 j = AT_X; j < w; j += BY_X) {
            const float cx = -2.0f + (float)j * step, cy = -1.5f + (float)i * step;
            float x = 0.0f, y = 0.0f;
            int n = 0;
            while (n < 200 && x * x + y * y <= 4.0f) {
                const float t = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = t;
                ++n;
            }
            count[i * w + j] = n;
        }
}

// Copies of the table in shared memory.
extern "C" __global__ void histogram(const int* __restrict__ keys, u32 n, int* __restrict__ bins) {
    __shared__ int own[256];
    for (u32 k = threadIdx.x; k < 256; k += blockDim.x) own[k] = 0;
    __syncthreads();
    for (u32 i = AT_X; i < n; i += BY_X) atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (u32 k = threadIdx.x; k < 256; k += blockDim.x) if (own[k]) atomicAdd(&bins[k], own[k]);
}

static __device__ __forceinline__ void mat3_one(const float (&a)[9], const float (&b)[9], float (&c)[9], float (&v)[9], float& det) {
    #pragma unroll
    for (int r = 0; r < 3; ++r)
        #pragma unroll
        for (int k = 0; k < 3; ++k) c[3 * r + k] = a[3 * r] * b[k] + a[3 * r + 1] * b[3 + k] + a[3 * r + 2] * b[6 + k];
    const float m0 = a[4] * a[8] - a[5] * a[7], m1 = a[5] * a[6] - a[3] * a[8], m2 = a[3] * a[7] - a[4] * a[6];
    det = a[0] * m0 + a[1] * m1 + a[2] * m2;
    const float d = 1.0f / det;
    v[0] = m0 * d; v[1] = (a[2] * a[7] - a[1] * a[8]) * d; v[2] = (a[1] * a[5] - a[2] * a[4]) * d;
    v[3] = m1 * d; v[4] = (a[0] * a[8] - a[2] * a[6]) * d; v[5] = (a[2] * a[3] - a[0] * a[5]) * d;
    v[6] = m2 * d; v[7] = (a[1] * a[6] - a[0] * a[7]) * d; v[8] = (a[0] * a[4] - a[1] * a[3]) * d;
}

extern "C" __global__ void mat3(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, float* __restrict__ inv, float* __restrict__ det, u32 n) {
    for (u32 i = AT_X; i < n; i += BY_X) {
        float A[9], B[9], C[9], V[9], d;
        #pragma unroll
        for (u32 k = 0; k < 9; ++k) { A[k] = a[9 * i + k]; B[k] = b[9 * i + k]; }
        mat3_one(A, B, C, V, d);
        #pragma unroll
        for (u32 k = 0; k < 9; ++k) { c[9 * i + k] = C[k]; inv[9 * i + k] = V[k]; }
        det[i] = d;
    }
}

extern "C" __global__ void mat3_soa(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, float* __restrict__ inv, float* __restrict__ det, u32 n, u32 pitch) {
    for (u32 i = AT_X; i < n; i += BY_X) {
        float A[9], B[9], C[9], V[9], d;
        #pragma unroll
        for (u32 k = 0; k < 9; ++k) { A[k] = a[i + k * pitch]; B[k] = b[i + k * pitch]; }
        mat3_one(A, B, C, V, d);
        #pragma unroll
        for (u32 k = 0; k < 9; ++k) { c[i + k * pitch] = C[k]; inv[i + k * pitch] = V[k]; }
        det[i] = d;
    }
}

extern "C" __global__ void spmv(const u32* __restrict__ starts, const u32* __restrict__ columns, const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y, u32 rows) {
    for (u32 r = AT_X; r < rows; r += BY_X) {
        float sum = 0.0f;
        const u32 end = starts[r + 1];
        for (u32 k = starts[r]; k < end; ++k) sum += values[k] * x[columns[k]];
        y[r] = sum;
    }
}

// The material point method.
extern "C" __global__ void substep_0(float2* __restrict__ grid_v, float* __restrict__ grid_m, u32 h, u32 w) {
    for (u32 i = AT_Y; i < h; i += BY_Y)
        for (u32 j = AT_X; j < w; j += BY_X) {
            grid_v[i * w + j] = make_float2(0.0f, 0.0f);
            grid_m[i * w + j] = 0.0f;
        }
}

struct Near {
    int i, j;
    float fx, fy, wx[3], wy[3];
    static __device__ __forceinline__ void weights(float f, float (&w)[3]) {
        w[0] = 0.5f * (1.5f - f) * (1.5f - f);
        w[1] = 0.75f - (f - 1.0f) * (f - 1.0f);
        w[2] = 0.5f * (f - 0.5f) * (f - 0.5f);
    }
    __device__ __forceinline__ Near(float2 x, float inv) {
        const float px = x.x * inv, py = x.y * inv;
        i = (int)(px - 0.5f);
        j = (int)(py - 0.5f);
        fx = px - (float)i;
        fy = py - (float)j;
        weights(fx, wx);
        weights(fy, wy);
    }
};

extern "C" __global__ void substep_1(const float2* __restrict__ x, const float2* __restrict__ v, const float4* __restrict__ c, const float* __restrict__ jac, u32 count, float2* __restrict__ grid_v, float* __restrict__ grid_m, u32 n) {
    const float inv = (float)n, dx = 1.0f / inv, mass = 0.25f * dx * dx, stiffness = -4.0f * 1e-4f * 400.0f * mass * inv * inv;
    for (u32 p = AT_X; p < count; p += BY_X) {
        const Near s(x[p], inv);
        const float stress = stiffness * (jac[p] - 1.0f);
        const float4 C = c[p];
        const float2 u = v[p];
        const float a00 = mass * C.x + stress, a01 = mass * C.y, a10 = mass * C.z, a11 = mass * C.w + stress;
        #pragma unroll
        for (int i = 0; i < 3; ++i)
            #pragma unroll
            for (int j = 0; j < 3; ++j) {
                const float dpx = ((float)i - s.fx) * dx, dpy = ((float)j - s.fy) * dx, w = s.wx[i] * s.wy[j];
                const u32 node = (s.i + i) * n + s.j + j;
                atomicAdd(&grid_v[node].x, w * (mass * u.x + a00 * dpx + a01 * dpy));
                atomicAdd(&grid_v[node].y, w * (mass * u.y + a10 * dpx + a11 * dpy));
                atomicAdd(&grid_m[node], w * mass);
            }
    }
}

extern "C" __global__ void substep_2(float2* __restrict__ grid_v, const float* __restrict__ grid_m, u32 h, u32 w) {
    for (u32 i = AT_Y; i < h; i += BY_Y)
        for (u32 j = AT_X; j < w; j += BY_X) {
            const u32 k = i * w + j;
            const float m = grid_m[k];
            if (m > 0.0f) {
                float2 u = grid_v[k];
                u.x /= m;
                u.y = u.y / m - 1e-4f * 9.8f;
                if ((i < 3 && u.x < 0.0f) || (i > h - 3 && u.x > 0.0f)) u.x = 0.0f;
                if ((j < 3 && u.y < 0.0f) || (j > h - 3 && u.y > 0.0f)) u.y = 0.0f;
                grid_v[k] = u;
            }
        }
}

extern "C" __global__ void substep_3(float2* __restrict__ x, float2* __restrict__ v, float4* __restrict__ c, float* __restrict__ jac, u32 count, const float2* __restrict__ grid_v, u32 n) {
    const float inv = (float)n, dx = 1.0f / inv, k4 = 4.0f * inv * inv;
    for (u32 p = AT_X; p < count; p += BY_X) {
        const float2 at = x[p];
        const Near s(at, inv);
        float vx = 0.0f, vy = 0.0f, c00 = 0.0f, c01 = 0.0f, c10 = 0.0f, c11 = 0.0f;
        #pragma unroll
        for (int i = 0; i < 3; ++i)
            #pragma unroll
            for (int j = 0; j < 3; ++j) {
                const float dpx = ((float)i - s.fx) * dx, dpy = ((float)j - s.fy) * dx, w = s.wx[i] * s.wy[j];
                float2 g = grid_v[(s.i + i) * n + s.j + j];
                g.x *= w;
                g.y *= w;
                vx += g.x;
                vy += g.y;
                c00 += k4 * (g.x * dpx);
                c01 += k4 * (g.x * dpy);
                c10 += k4 * (g.y * dpx);
                c11 += k4 * (g.y * dpy);
            }
        v[p] = make_float2(vx, vy);
        x[p] = make_float2(at.x + 1e-4f * vx, at.y + 1e-4f * vy);
        jac[p] *= 1.0f + 1e-4f * (c00 + c11);
        c[p] = make_float4(c00, c01, c10, c11);
    }
}

// Particles that press on their neighbours.
static __device__ __forceinline__ int2 cell(float2 pos, u32 n) {
    return make_int2(min((int)(pos.x * (float)n), (int)n - 1), min((int)(pos.y * (float)n), (int)n - 1));
}

extern "C" __global__ void sort_1(const float2* __restrict__ pos, u32 count, u32* counts, u32* cells, u32 n, u32 capacity) {
    for (u32 p = AT_X; p < count; p += BY_X) {
        const int2 c = cell(pos[p], n);
        const u32 slot = atomicAdd(&counts[c.x * n + c.y], 1);
        cells[(c.x * n + c.y) * capacity + slot] = p;
    }
}

extern "C" __global__ void densities(const float2* __restrict__ pos, u32 count, const u32* __restrict__ counts, const u32* __restrict__ cells, u32 n, u32 capacity, float* __restrict__ density, float spacing) {
    const float h = 2.0f * spacing, h2 = h * h, scale = spacing * spacing * 4.0f / (3.14159265f * h2 * h2 * h2 * h2);
    for (u32 p = AT_X; p < count; p += BY_X) {
        const float2 at = pos[p];
        const int2 c = cell(at, n);
        float sum = 0.0f;
        for (int a = max(c.x, 1) - 1; a < min(c.x + 2, (int)n); ++a)
            for (int b = max(c.y, 1) - 1; b < min(c.y + 2, (int)n); ++b) {
                const u32 end = counts[a * n + b];
                const u32* __restrict__ members = &cells[(a * n + b) * capacity];
                for (u32 k = 0; k < end; ++k) {
                    const float2 q = pos[members[k]];
                    const float dx = at.x - q.x, dy = at.y - q.y;
                    const float near = fmaxf(h2 - (dx * dx + dy * dy), 0.0f);
                    sum += near * near * near;
                }
            }
        density[p] = scale * sum;
    }
}

extern "C" __global__ void forces(const float2* __restrict__ pos, const float2* __restrict__ vel, const float* __restrict__ density, u32 count, const u32* __restrict__ counts, const u32* __restrict__ cells, u32 n, u32 capacity, float2* __restrict__ acc, float spacing) {
    const float h = 2.0f * spacing, mass = spacing * spacing, h5 = 3.14159265f * h * h * h * h * h;
    for (u32 p = AT_X; p < count; p += BY_X) {
        const float2 at = pos[p], v = vel[p];
        const float own = density[p];
        const int2 c = cell(at, n);
        float sx = 0.0f, sy = 0.0f;
        for (int a = max(c.x, 1) - 1; a < min(c.x + 2, (int)n); ++a)
            for (int b = max(c.y, 1) - 1; b < min(c.y + 2, (int)n); ++b) {
                const u32 end = counts[a * n + b];
                const u32* __restrict__ members = &cells[(a * n + b) * capacity];
                for (u32 k = 0; k < end; ++k) {
                    const u32 q = members[k];
                    const float2 o = pos[q];
                    const float dx = at.x - o.x, dy = at.y - o.y;
                    const float r = sqrtf(dx * dx + dy * dy);
                    if (q != p && r < h) {
                        const float other = density[q];
                        const float2 w = vel[q];
                        const float pressure = 0.5f * 10.0f * (own + other - 2.0f);
                        const float push = 30.0f / h5 * (h - r) * (h - r) * pressure / fmaxf(r, 1e-9f);
                        const float drag = 0.01f * 40.0f / h5 * (h - r);
                        const float share = mass / (own * other);
                        sx += (push * dx + drag * (w.x - v.x)) * share;
                        sy += (push * dy + drag * (w.y - v.y)) * share;
                    }
                }
            }
        acc[p] = make_float2(sx, sy - 9.8f);
    }
}

extern "C" __global__ void advance(float2* __restrict__ pos, float2* __restrict__ vel, const float2* __restrict__ acc, u32 count) {
    for (u32 p = AT_X; p < count; p += BY_X) {
        float2 v = vel[p], x = pos[p];
        const float2 a = acc[p];
        v.x += 1e-4f * a.x;
        v.y += 1e-4f * a.y;
        vel[p] = v;
        x.x = fminf(fmaxf(x.x + 1e-4f * v.x, 0.0f), 1.0f);
        x.y = fminf(fmaxf(x.y + 1e-4f * v.y, 0.0f), 1.0f);
        pos[p] = x;
    }
}

// Neighbours on a torus by comparisons.
extern "C" __global__ void step(const float* __restrict__ old, float* __restrict__ next, u32 h, u32 w) {
    const float weights[9] = {1.0f / 36, 1.0f / 9, 1.0f / 36, 1.0f / 9, 4.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 9, 1.0f / 36};
    for (u32 i = AT_Y; i < h; i += BY_Y)
        for (u32 j = AT_X; j < w; j += BY_X) {
            const u32 rows[3] = {i + 1 == h ? 0 : i + 1, i, i == 0 ? h - 1 : i - 1};
            const u32 columns[3] = {j + 1 == w ? 0 : j + 1, j, j == 0 ? w - 1 : j - 1};
            float f[9], density = 0.0f, mx = 0.0f, my = 0.0f;
            #pragma unroll
            for (u32 q = 0; q < 9; ++q) {
                f[q] = old[(q * h + rows[q / 3]) * w + columns[q % 3]];
                density += f[q];
                mx += f[q] * ((float)(q / 3) - 1.0f);
                my += f[q] * ((float)(q % 3) - 1.0f);
            }
            const float ux = mx / density, uy = my / density;
            #pragma unroll
            for (u32 q = 0; q < 9; ++q) {
                const float along = 3.0f * (((float)(q / 3) - 1.0f) * ux + ((float)(q % 3) - 1.0f) * uy);
                const float rest = 1.0f + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy);
                next[(q * h + i) * w + j] = f[q] + 1.6f * (weights[q] * density * rest - f[q]);
            }
        }
}

// A scene by its distance function.
static __device__ __forceinline__ float scene(float3 p) {
    const float bx = p.x + 1.2f, by = p.y - 0.8f, bz = p.z - 0.5f;
    const float ball = sqrtf(bx * bx + by * by + bz * bz) - 0.8f;
    const float qx = fabsf(p.x - 1.2f) - 0.5f, qy = fabsf(p.y - 0.5f) - 0.5f, qz = fabsf(p.z) - 0.5f;
    const float ox = fmaxf(qx, 0.0f), oy = fmaxf(qy, 0.0f), oz = fmaxf(qz, 0.0f);
    const float cube = sqrtf(ox * ox + oy * oy + oz * oz) + fminf(fmaxf(fmaxf(qx, qy), qz), 0.0f);
    const float rx = p.x - 0.2f, ry = p.y - 0.3f, rz = p.z + 1.2f;
    const float across = sqrtf(rx * rx + rz * rz) - 0.5f;
    const float ring = sqrtf(across * across + ry * ry) - 0.2f;
    return fminf(fminf(fminf(p.y, ball), cube), ring);
}

static __device__ __forceinline__ float3 along(float3 o, float3 d, float t) {
    return make_float3(o.x + d.x * t, o.y + d.y * t, o.z + d.z * t);
}

static __device__ __forceinline__ float march(float3 origin, float3 direction) {
    float t = 0.0f;
    for (int n = 0; n < 200; ++n) {
        const float d = scene(along(origin, direction, t));
        if (d < 1e-3f || t > 20.0f) break;
        t += d;
    }
    return t;
}

static __device__ __forceinline__ float3 unit(float3 v) {
    const float r = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return make_float3(v.x / r, v.y / r, v.z / r);
}

extern "C" __global__ void render(float* __restrict__ picture, u32 h, u32 w) {
    const float3 eye = make_float3(0.0f, 1.5f, -4.0f), light = make_float3(0.48f, 0.8f, -0.36f);
    for (u32 i = AT_Y; i < h; i += BY_Y)
        for (u32 j = AT_X; j < w; j += BY_X) {
            const float3 ray = unit(make_float3(((float)j + 0.5f) / (float)w - 0.5f, 0.3f - ((float)i + 0.5f) / (float)h, 1.0f));
            const float t = march(eye, ray);
            float shade = 0.0f;
            if (t < 20.0f) {
                const float3 p = along(eye, ray, t);
                const float3 n = unit(make_float3(
                    scene(make_float3(p.x + 0.01f, p.y, p.z)) - scene(make_float3(p.x - 0.01f, p.y, p.z)),
                    scene(make_float3(p.x, p.y + 0.01f, p.z)) - scene(make_float3(p.x, p.y - 0.01f, p.z)),
                    scene(make_float3(p.x, p.y, p.z + 0.01f)) - scene(make_float3(p.x, p.y, p.z - 0.01f))));
                shade = 0.1f;
                if (march(along(p, n, 0.02f), light) > 20.0f)
                    shade += 0.9f * fmaxf(n.x * light.x + n.y * light.y + n.z * light.z, 0.0f);
            }
            picture[i * w + j] = shade;
        }
}
