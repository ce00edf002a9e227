//! The instructions of WebAssembly's `simd128`, which the viewer uses, under the names of their SSE2
//! equivalents.

#[path = "x86/sse2.rs"]
mod sse2;

pub use sse2::Portable;
#[allow(clippy::wildcard_imports)] // some thirty intrinsics
use std::arch::wasm32::*;

#[allow(non_camel_case_types)] // the name in SSE2
pub(super) type __m128i = v128;

/// Defines functions that are marked unsafe, as the intrinsics of SSE2 are.
macro_rules! functions {
    ($($name:ident $(<const $n:ident>)? ($($given:ident: $type:ty),*) -> $out:ty = $value:expr;)*) => {$(
        #[inline(always)]
        pub(super) unsafe fn $name $(<const $n: i32>)? ($($given: $type),*) -> $out {
            $value
        }
    )*};
}

functions! {
    _mm_and_si128(a: v128, b: v128) -> v128 = v128_and(a, b);
    _mm_andnot_si128(a: v128, b: v128) -> v128 = v128_andnot(b, a);
    _mm_or_si128(a: v128, b: v128) -> v128 = v128_or(a, b);
    _mm_xor_si128(a: v128, b: v128) -> v128 = v128_xor(a, b);
    _mm_add_epi32(a: v128, b: v128) -> v128 = i32x4_add(a, b);
    _mm_add_epi64(a: v128, b: v128) -> v128 = i64x2_add(a, b);
    _mm_sub_epi64(a: v128, b: v128) -> v128 = i64x2_sub(a, b);
    _mm_madd_epi16(a: v128, b: v128) -> v128 = i32x4_dot_i16x8(a, b);
    _mm_cmpeq_epi8(a: v128, b: v128) -> v128 = i8x16_eq(a, b);
    _mm_srli_epi64<const N>(a: v128) -> v128 = u64x2_shr(a, N as u32);
    _mm_slli_epi64<const N>(a: v128) -> v128 = u64x2_shl(a, N as u32);
    _mm_setzero_si128() -> v128 = u64x2_splat(0);
    _mm_set1_epi32(word: i32) -> v128 = i32x4_splat(word);
    _mm_castsi128_pd(a: v128) -> v128 = a;
    _mm_castpd_si128(a: v128) -> v128 = a;
    _mm_loadu_si128(from: *const v128) -> v128 = unsafe { v128_load(from) };
    _mm_storeu_si128(to: *mut v128, a: v128) -> () = unsafe { v128_store(to, a) };
    _mm_movemask_epi8(a: v128) -> i32 = i32::from(i8x16_bitmask(a));
}

/// Returns the upper half of `a`, followed by the lower half of `b`. `ORDER` must be `0b01`, which selects
/// these halves.
#[inline(always)]
pub(super) unsafe fn _mm_shuffle_pd<const ORDER: i32>(a: v128, b: v128) -> v128 {
    assert!(ORDER == 0b01);
    u64x2_shuffle::<1, 2>(a, b)
}
