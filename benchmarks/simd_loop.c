/* The yardstick: compare, select, add, written by hand with AVX2 intrinsics.

   The same work, layout and walk as the compiled kernel of the package, so that only the
   quality of the inner loop differs. Four numbers to a register, 2 x 2 pairs at a time.
   AVX2 on purpose, also where AVX-512 is to be had: it is what nearly every x86 machine
   of the last ten years runs, which keeps ratios from different machines comparable. */

#include <immintrin.h>

static double horizontal_sum(__m256d v)
{
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

/* Of a pair, add the number of the point that is farther away. */
static inline __m256d add_farther(__m256d sum, __m256d ci, __m256d ri, __m256d cj, __m256d rj)
{
    __m256d i_is_farther = _mm256_cmp_pd(ri, rj, _CMP_GT_OQ);
    return _mm256_add_pd(sum, _mm256_blendv_pd(cj, ci, i_is_farther));
}

/* farther and rank: n x m, n even, m a multiple of 4. out: n x n, upper triangle. */
void add_pairs(const double *farther, const double *rank, long n, long m,
               long i0, long i1, long tile, double *out)
{
    for (long jb = i0; jb < n; jb += tile) {
        long j_stop = jb + tile < n ? jb + tile : n;
        for (long i = i0; i < i1; i += 2) {
            const double *ca = farther + i * m, *cb = ca + m;
            const double *ra = rank + i * m, *rb = ra + m;
            for (long j = jb > i ? jb : i; j < j_stop; j += 2) {
                const double *cc = farther + j * m, *cd = cc + m;
                const double *rc = rank + j * m, *rd = rc + m;
                __m256d s00 = _mm256_setzero_pd(), s01 = _mm256_setzero_pd();
                __m256d s10 = _mm256_setzero_pd(), s11 = _mm256_setzero_pd();
                for (long p = 0; p < m; p += 4) {
                    __m256d a = _mm256_loadu_pd(ca + p), b = _mm256_loadu_pd(cb + p);
                    __m256d c = _mm256_loadu_pd(cc + p), d = _mm256_loadu_pd(cd + p);
                    __m256d x = _mm256_loadu_pd(ra + p), y = _mm256_loadu_pd(rb + p);
                    __m256d z = _mm256_loadu_pd(rc + p), w = _mm256_loadu_pd(rd + p);
                    s00 = add_farther(s00, a, x, c, z);
                    s01 = add_farther(s01, a, x, d, w);
                    s10 = add_farther(s10, b, y, c, z);
                    s11 = add_farther(s11, b, y, d, w);
                }
                out[i * n + j] += horizontal_sum(s00);
                out[i * n + j + 1] += horizontal_sum(s01);
                out[(i + 1) * n + j] += horizontal_sum(s10);
                out[(i + 1) * n + j + 1] += horizontal_sum(s11);
            }
        }
    }
}
