//! Instructions that compute: opcodes, operands and results.

/// Each line: opcode, operands, result. Predicates are 0 and 1.
pub(super) const CASES: &str = "
    add.u32          ffffffff 2                                  1
    add.s16          7fff 1                                      8000
    sub.u64          0 1                                         ffffffffffffffff
    mul.lo.s32       ffffffff 5                                  fffffffb
    mul.hi.u32       ffffffff ffffffff                           fffffffe
    mul.hi.s32       ffffffff 1                                  ffffffff
    mul.hi.u64       ffffffffffffffff ffffffffffffffff           fffffffffffffffe
    mul.hi.s64       8000000000000000 2                          ffffffffffffffff
    mul.wide.s32     ffffffff 5                                  fffffffffffffffb
    mul.wide.u32     ffffffff ffffffff                           fffffffe00000001
    mul.wide.u16     ffff ffff                                   fffe0001
    mad.lo.s32       3 4 fffffff0                                fffffffc
    mad.wide.u32     ffffffff 2 ffffffffffffffff                 1fffffffd
    div.s32          fffffff9 2                                  fffffffd
    div.s32          80000000 ffffffff                           80000000
    div.u64          ffffffffffffffff 10                         fffffffffffffff
    rem.s32          fffffff9 2                                  ffffffff
    rem.u16          ffff 10                                     f
    abs.s32          80000000                                    80000000
    abs.s64          ffffffffffffffff                            1
    neg.s16          1                                           ffff
    min.s32          80000000 1                                  80000000
    min.u32          80000000 1                                  1
    max.s16          8000 1                                      1
    popc.b64         ff000000000000ff                            10
    clz.b32          0                                           20
    clz.b64          1                                           3f
    brev.b32         1                                           80000000
    bfi.b32          f 0 8 2                                     300
    bfe.u32          f0f 8 4                                     f
    dp2a.lo.u32.u32  00030002 0b0a 1                             36
    dp2a.lo.s32.u32  fffd0002 0a05 1                             ffffffed
    dp2a.hi.s32.s32  0003fffe ff7f0000 5                         ffffff04
    dp4a.s32.u32     ff028003 01020304 2                         fffffe91
    dp4a.u32.s32     01020304 ff028003 7                         fffffe96
    and.b16          ff0f 0fff                                   f0f
    not.b16          1                                           fffe
    not.pred         1                                           0
    shl.b32          1 20                                        0
    shl.b64          1 3f                                        8000000000000000
    shr.s32          80000000 40                                 ffffffff
    shr.u32          80000000 1f                                 1
    shr.u32          80000000 20                                 0
    shr.s16          8000 4                                      f800
    shf.l.wrap.b32   80000000 1 1                                3
    shf.r.wrap.b32   2 1 1                                       80000001
    prmt.b32         33221100 77665544 7610                      77661100
    prmt.b32         80 0 8880                                   ffffff80
    add.f32          7f7fffff 7f7fffff                           7f800000
    add.f32          3f800000 33800000                           3f800000
    add.f32          3f800001 33800000                           3f800002
    add.rz.f32       3f800001 33800000                           3f800001
    add.rz.f32       7f800000 ff800000                           7fffffff
    add.rm.f32       7fc00001 3f800000                           7fffffff
    fma.rp.f32       7f800000 0        3f800000                  7fffffff
    add.rp.f32       3f800000 33800000                           3f800001
    add.rm.f32       bf800000 b3800000                           bf800001
    add.f32          7f800000 ff800000                           7fffffff
    sub.f32          1 0                                         1
    sub.ftz.f32      1 0                                         0
    sub.ftz.f32      80000001 0                                  80000000
    mul.f32          800000 3f000000                             400000
    mul.ftz.f32      800000 3f000000                             0
    mul.rz.f32       3f800001 3f800001                           3f800002
    mul.rp.f32       3f800001 3f800001                           3f800003
    fma.rn.f32       3f800001 3f800001 bf800002                  28800000
    fma.rn.f64       3ff0000000000001 3ff0000000000001 bff0000000000002 3970000000000000
    fma.rz.f32       3f800000 3f800000 b2800000                  3f7fffff
    div.rn.f32       3f800000 40400000                           3eaaaaab
    div.rz.f32       3f800000 40400000                           3eaaaaaa
    div.rn.f32       3f800000 80000000                           ff800000
    div.rn.f64       3ff0000000000000 4008000000000000           3fd5555555555555
    div.approx.f32   40000000 7e800000                           1000000
    div.approx.f32   40000000 7f000000                           0
    rcp.rn.f32       40400000                                    3eaaaaab
    rcp.approx.ftz.f64 4008000000000000                          3fd5555500000000
    rcp.approx.ftz.f64 1                                         7ff0000000000000
    rsqrt.approx.ftz.f64 4010000000000000                        3fe0000000000000
    rsqrt.approx.ftz.f32 40800000                                3f000000
    sqrt.rn.f32      40000000                                    3fb504f3
    sqrt.rn.f32      bf800000                                    7fffffff
    sqrt.rn.f32      80000000                                    80000000
    ex2.approx.f32   40400000                                    41000000
    ex2.approx.ftz.f32 c2fe0000                                  0
    lg2.approx.f32   41000000                                    40400000
    lg2.approx.f32   0                                           ff800000
    sin.approx.f32   80000000                                    80000000
    cos.approx.f32   0                                           3f800000
    min.f32          0 80000000                                  80000000
    max.f32          80000000 0                                  0
    min.f32          7fc00000 40000000                           40000000
    max.f64          3ff0000000000000 7ff8000000000001           3ff0000000000000
    min.f32          7fc00000 7fc00000                           7fffffff
    neg.f32          0                                           80000000
    abs.f64          bff0000000000000                            3ff0000000000000
    copysign.f32     80000000 3f800000                           bf800000
    copysign.f64     0 bff0000000000000                          3ff0000000000000
    add.rn.f16       3c00 1000                                   3c00
    add.rn.f16       3c01 1000                                   3c02
    mul.rn.f16       7bff 4000                                   7c00
    fma.rn.f16       3c01 3c01 bc02                              10
    setp.lt.f32      7fc00000 3f800000                           0
    setp.ltu.f32     7fc00000 3f800000                           1
    setp.ne.f32      7fc00000 3f800000                           0
    setp.neu.f32     7fc00000 7fc00000                           1
    setp.eq.f32      0 80000000                                  1
    setp.nan.f64     7ff8000000000000 0                          1
    setp.num.f32     3f800000 0                                  1
    setp.gt.ftz.f32  1 0                                         0
    setp.lt.s32      ffffffff 0                                  1
    setp.lt.u32      ffffffff 0                                  0
    setp.ge.s64      8000000000000000 0                          0
    setp.eq.and.s32  5 5 0                                       0
    setp.ne.or.s32   5 5 1                                       1
    setp.eq.xor.s32  5 5 1                                       0
    selp.b32         7 8 1                                       7
    selp.f64         7 8 0                                       8
    cvt.u32.u16      ffff                                        ffff
    cvt.s32.s16      8000                                        ffff8000
    cvt.s64.s32      80000000                                    ffffffff80000000
    cvt.u64.u32      80000000                                    80000000
    cvt.u16.u32      12345                                       2345
    cvt.s32.s8       80                                          ffffff80
    cvt.rn.f32.s32   ffffffff                                    bf800000
    cvt.rn.f32.u32   1000001                                     4b800000
    cvt.rn.f32.u32   1000003                                     4b800002
    cvt.rz.f32.u32   1000003                                     4b800001
    cvt.rn.f64.u64   ffffffffffffffff                            43f0000000000000
    cvt.rn.f32.s64   8000000000000000                            df000000
    cvt.rzi.s32.f32  c0200000                                    fffffffe
    cvt.rni.s32.f32  c0200000                                    fffffffe
    cvt.rni.s32.f32  40600000                                    4
    cvt.rmi.s32.f32  c0200000                                    fffffffd
    cvt.rpi.s32.f32  c0200000                                    fffffffe
    cvt.rzi.s32.f32  7f800000                                    7fffffff
    cvt.rzi.u32.f32  bf800000                                    0
    cvt.rzi.s32.f32  7fc00000                                    0
    cvt.rzi.s64.f32  7fc00000                                    8000000000000000
    cvt.rzi.u64.f64  43f0000000000000                            ffffffffffffffff
    cvt.rzi.u16.f32  47800000                                    ffff
    cvt.rni.f32.f32  3f000000                                    0
    cvt.rni.f32.f32  3fc00000                                    40000000
    cvt.rmi.f32.f32  bf000000                                    bf800000
    cvt.rzi.f64.f64  bfe0000000000000                            8000000000000000
    cvt.sat.f32.f32  40000000                                    3f800000
    cvt.sat.f32.f32  7fc00000                                    0
    cvt.sat.f32.f32  bf800000                                    0
    cvt.rn.f32.f64   3ff0000010000000                            3f800000
    cvt.rn.f32.f64   3ff0000030000000                            3f800002
    cvt.rn.f32.f64   7ff8000000000000                            7fffffff
    cvt.f64.f32      7f7fffff                                    47efffffe0000000
    cvt.rn.f16.f32   477ff000                                    7c00
    cvt.rn.f16.f32   477fefff                                    7bff
    cvt.rn.f16.f32   33000000                                    0
    cvt.rn.f16.f32   33000001                                    1
    cvt.f32.f16      1                                           33800000
    cvt.rn.f16.f64   3ff0020000000001                            3c01
    cvt.rn.bf16.f32  3f808000                                    3f80
    cvt.rn.bf16.f32  3f818000                                    3f82
    cvt.rn.bf16.f32  7f7fffff                                    7f80
    cvt.rz.bf16.f32  7f7fffff                                    7f7f
    cvt.rn.bf16.f32  ff800001                                    7fff
    cvt.rn.bf16.f32  80000001                                    8000
    cvt.f32.bf16     c049                                        c0490000
    testp.subnormal.f32 1                                        1
    testp.normal.f32 0                                           0
    add.s32          7fffffff 1                                  80000000
    add.s64          7fffffffffffffff 1                          8000000000000000
    add.u64          ffffffffffffffff 1                          0
    add.f64          3ff0000000000000 3ca0000000000000           3ff0000000000000
    add.rp.f64       3ff0000000000000 1                          3ff0000000000001
    sub.s16          8000 1                                      7fff
    sub.s32          80000000 1                                  7fffffff
    sub.s64          8000000000000000 1                          7fffffffffffffff
    sub.f64          3ff0000000000000 3ff0000000000000           0
    sub.rm.f64       3ff0000000000000 3ff0000000000000           8000000000000000
    sub.rn.f16       3c00 3c00                                   0
    mul.lo.s16       8000 ffff                                   8000
    mul.lo.s64       8000000000000000 ffffffffffffffff           8000000000000000
    mul.hi.s16       8000 8000                                   4000
    mul.hi.u16       ffff ffff                                   fffe
    mul.f64          0010000000000000 3fe0000000000000           8000000000000
    mad.lo.s16       3 ffff 5                                    2
    mad.lo.s64       ffffffffffffffff 2 5                        3
    mad.hi.u32       ffffffff ffffffff 1                         ffffffff
    mad.wide.s32     ffffffff 1 0                                ffffffffffffffff
    div.u16          ffff 7                                      2492
    div.u32          ffffffff 3                                  55555555
    div.s64          fffffffffffffff9 2                          fffffffffffffffd
    rem.u32          ffffffff 10                                 f
    rem.s16          fff9 2                                      ffff
    rem.s64          fffffffffffffff9 fffffffffffffffe           ffffffffffffffff
    abs.f32          80000000                                    0
    neg.s32          80000000                                    80000000
    neg.s64          1                                           ffffffffffffffff
    neg.f64          8000000000000000                            0
    min.s64          8000000000000000 1                          8000000000000000
    min.u16          8000 1                                      1
    max.u64          8000000000000000 1                          8000000000000000
    max.s32          80000000 1                                  1
    min.f64          0 8000000000000000                          8000000000000000
    max.f32          7fc00000 7f800000                           7f800000
    popc.b32         f0f0                                        8
    brev.b64         1                                           8000000000000000
    or.b16           f00f 0ff0                                   ffff
    or.b32           80000000 1                                  80000001
    or.b64           8000000000000000 1                          8000000000000001
    xor.b16          ffff 00ff                                   ff00
    xor.b32          ffffffff 1                                  fffffffe
    xor.b64          ffffffffffffffff ffffffffffffffff           0
    and.b64          f000000000000001 8000000000000001           8000000000000001
    and.pred         1 1                                         1
    and.pred         1 0                                         0
    or.pred          0 1                                         1
    xor.pred         1 1                                         0
    not.b32          0                                           ffffffff
    not.b64          0                                           ffffffffffffffff
    shl.b16          1 f                                         8000
    shl.b16          1 10                                        0
    shr.u16          8000 f                                      1
    shr.u64          8000000000000000 3f                         1
    shr.s64          8000000000000000 7f                         ffffffffffffffff
    shr.b32          80000000 1f                                 1
    shf.l.clamp.b32  1 2 28                                      1
    shf.r.clamp.b32  1 2 28                                      2
    rcp.rn.f64       4000000000000000                            3fe0000000000000
    rcp.approx.f32   80000000                                    ff800000
    sqrt.approx.f32  40800000                                    40000000
    sqrt.rn.f64      4010000000000000                            4000000000000000
    tanh.approx.f32  80000000                                    80000000
    tanh.approx.f32  7f800000                                    3f800000
    sin.approx.f32   7f800000                                    7fffffff
    cos.approx.f32   80000000                                    3f800000
    setp.le.s16      8000 0                                      1
    setp.gt.u16      8000 0                                      1
    setp.lt.u64      ffffffffffffffff 0                          0
    setp.eq.b64      8000000000000000 0                          0
    setp.ne.b16      1 2                                         1
    setp.geu.f32     7fc00000 0                                  1
    setp.ge.f32      7fc00000 0                                  0
    setp.le.f64      8000000000000000 0                          1
    setp.gtu.f64     7ff8000000000000 0                          1
    setp.lt.f16      8001 0                                      1
    selp.b16         7 8 0                                       8
    cvt.s64.s16      8000                                        ffffffffffff8000
    cvt.s16.s8       80                                          ff80
    cvt.u64.u8       ff                                          ff
    cvt.u32.u64      1ffffffff                                   ffffffff
    cvt.rn.f64.s32   80000000                                    c1e0000000000000
    cvt.rn.f64.u32   ffffffff                                    41efffffffe00000
    cvt.rn.f32.u64   ffffffffffffffff                            5f800000
    cvt.rn.f32.u16   ffff                                        477fff00
    cvt.rn.f64.s16   8000                                        c0e0000000000000
    cvt.rzi.s64.f64  c3e0000000000001                            8000000000000000
    cvt.rzi.u32.f64  41f0000000000000                            ffffffff
    cvt.rzi.s32.f64  bff8000000000000                            ffffffff
    cvt.rpi.f32.f32  bf000000                                    80000000
    cvt.rmi.f64.f64  bfe0000000000000                            bff0000000000000
    testp.finite.f32 7f7fffff                                    1
    testp.infinite.f64 7ff0000000000000                          1
    testp.number.f32 7fc00000                                    0
    testp.notanumber.f64 7ff0000000000001                        1
";
