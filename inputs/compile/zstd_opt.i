/* zstd_opt.c of zstd 1.5.7, preprocessed.

BSD License

For Zstandard software

Copyright (c) Meta Platforms, Inc. and affiliates. All rights reserved.

Redistribution and use in source and binary forms, with or without modification,
are permitted provided that the following conditions are met:

 * Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

 * Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

 * Neither the name Facebook, nor Meta, nor the names of its contributors may
   be used to endorse or promote products derived from this software without
   specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

typedef unsigned long size_t;
typedef long ptrdiff_t;

static __inline __attribute__((unused)) int ZSTD_isPower2(size_t u) {
    return (u & (u-1)) == 0;
}
static __inline __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
ptrdiff_t ZSTD_wrappedPtrDiff(unsigned char const* lhs, unsigned char const* rhs)
{
    return lhs - rhs;
}
static __inline __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
unsigned char const* ZSTD_wrappedPtrAdd(unsigned char const* ptr, ptrdiff_t add)
{
    return ptr + add;
}
static __inline __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
unsigned char const* ZSTD_wrappedPtrSub(unsigned char const* ptr, ptrdiff_t sub)
{
    return ptr - sub;
}
static __inline __attribute__((unused))
unsigned char* ZSTD_maybeNullPtrAdd(unsigned char* ptr, ptrdiff_t add)
{
    return add > 0 ? ptr + add : ptr;
}


void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;

  typedef uint8_t BYTE;
  typedef uint8_t U8;
  typedef int8_t S8;
  typedef uint16_t U16;
  typedef int16_t S16;
  typedef uint32_t U32;
  typedef int32_t S32;
  typedef uint64_t U64;
  typedef int64_t S64;
static __inline __attribute__((unused)) unsigned MEM_32bits(void);
static __inline __attribute__((unused)) unsigned MEM_64bits(void);
static __inline __attribute__((unused)) unsigned MEM_isLittleEndian(void);
static __inline __attribute__((unused)) U16 MEM_read16(const void* memPtr);
static __inline __attribute__((unused)) U32 MEM_read32(const void* memPtr);
static __inline __attribute__((unused)) U64 MEM_read64(const void* memPtr);
static __inline __attribute__((unused)) size_t MEM_readST(const void* memPtr);
static __inline __attribute__((unused)) void MEM_write16(void* memPtr, U16 value);
static __inline __attribute__((unused)) void MEM_write32(void* memPtr, U32 value);
static __inline __attribute__((unused)) void MEM_write64(void* memPtr, U64 value);
static __inline __attribute__((unused)) U16 MEM_readLE16(const void* memPtr);
static __inline __attribute__((unused)) U32 MEM_readLE24(const void* memPtr);
static __inline __attribute__((unused)) U32 MEM_readLE32(const void* memPtr);
static __inline __attribute__((unused)) U64 MEM_readLE64(const void* memPtr);
static __inline __attribute__((unused)) size_t MEM_readLEST(const void* memPtr);
static __inline __attribute__((unused)) void MEM_writeLE16(void* memPtr, U16 val);
static __inline __attribute__((unused)) void MEM_writeLE24(void* memPtr, U32 val);
static __inline __attribute__((unused)) void MEM_writeLE32(void* memPtr, U32 val32);
static __inline __attribute__((unused)) void MEM_writeLE64(void* memPtr, U64 val64);
static __inline __attribute__((unused)) void MEM_writeLEST(void* memPtr, size_t val);
static __inline __attribute__((unused)) U32 MEM_readBE32(const void* memPtr);
static __inline __attribute__((unused)) U64 MEM_readBE64(const void* memPtr);
static __inline __attribute__((unused)) size_t MEM_readBEST(const void* memPtr);
static __inline __attribute__((unused)) void MEM_writeBE32(void* memPtr, U32 val32);
static __inline __attribute__((unused)) void MEM_writeBE64(void* memPtr, U64 val64);
static __inline __attribute__((unused)) void MEM_writeBEST(void* memPtr, size_t val);
static __inline __attribute__((unused)) U32 MEM_swap32(U32 in);
static __inline __attribute__((unused)) U64 MEM_swap64(U64 in);
static __inline __attribute__((unused)) size_t MEM_swapST(size_t in);
static __inline __attribute__((unused)) unsigned MEM_32bits(void) { return sizeof(size_t)==4; }
static __inline __attribute__((unused)) unsigned MEM_64bits(void) { return sizeof(size_t)==8; }
static __inline __attribute__((unused)) unsigned MEM_isLittleEndian(void)
{
    return 1;
}
typedef __attribute__((aligned(1))) U16 unalign16;
typedef __attribute__((aligned(1))) U32 unalign32;
typedef __attribute__((aligned(1))) U64 unalign64;
typedef __attribute__((aligned(1))) size_t unalignArch;
static __inline __attribute__((unused)) U16 MEM_read16(const void* ptr) { return *(const unalign16*)ptr; }
static __inline __attribute__((unused)) U32 MEM_read32(const void* ptr) { return *(const unalign32*)ptr; }
static __inline __attribute__((unused)) U64 MEM_read64(const void* ptr) { return *(const unalign64*)ptr; }
static __inline __attribute__((unused)) size_t MEM_readST(const void* ptr) { return *(const unalignArch*)ptr; }
static __inline __attribute__((unused)) void MEM_write16(void* memPtr, U16 value) { *(unalign16*)memPtr = value; }
static __inline __attribute__((unused)) void MEM_write32(void* memPtr, U32 value) { *(unalign32*)memPtr = value; }
static __inline __attribute__((unused)) void MEM_write64(void* memPtr, U64 value) { *(unalign64*)memPtr = value; }
static __inline __attribute__((unused)) U32 MEM_swap32_fallback(U32 in)
{
    return ((in << 24) & 0xff000000 ) |
            ((in << 8) & 0x00ff0000 ) |
            ((in >> 8) & 0x0000ff00 ) |
            ((in >> 24) & 0x000000ff );
}
static __inline __attribute__((unused)) U32 MEM_swap32(U32 in)
{
    return __builtin_bswap32(in);
}
static __inline __attribute__((unused)) U64 MEM_swap64_fallback(U64 in)
{
     return ((in << 56) & 0xff00000000000000ULL) |
            ((in << 40) & 0x00ff000000000000ULL) |
            ((in << 24) & 0x0000ff0000000000ULL) |
            ((in << 8) & 0x000000ff00000000ULL) |
            ((in >> 8) & 0x00000000ff000000ULL) |
            ((in >> 24) & 0x0000000000ff0000ULL) |
            ((in >> 40) & 0x000000000000ff00ULL) |
            ((in >> 56) & 0x00000000000000ffULL);
}
static __inline __attribute__((unused)) U64 MEM_swap64(U64 in)
{
    return __builtin_bswap64(in);
}
static __inline __attribute__((unused)) size_t MEM_swapST(size_t in)
{
    if (MEM_32bits())
        return (size_t)MEM_swap32((U32)in);
    else
        return (size_t)MEM_swap64((U64)in);
}
static __inline __attribute__((unused)) U16 MEM_readLE16(const void* memPtr)
{
    if (MEM_isLittleEndian())
        return MEM_read16(memPtr);
    else {
        const BYTE* p = (const BYTE*)memPtr;
        return (U16)(p[0] + (p[1]<<8));
    }
}
static __inline __attribute__((unused)) void MEM_writeLE16(void* memPtr, U16 val)
{
    if (MEM_isLittleEndian()) {
        MEM_write16(memPtr, val);
    } else {
        BYTE* p = (BYTE*)memPtr;
        p[0] = (BYTE)val;
        p[1] = (BYTE)(val>>8);
    }
}
static __inline __attribute__((unused)) U32 MEM_readLE24(const void* memPtr)
{
    return (U32)MEM_readLE16(memPtr) + ((U32)(((const BYTE*)memPtr)[2]) << 16);
}
static __inline __attribute__((unused)) void MEM_writeLE24(void* memPtr, U32 val)
{
    MEM_writeLE16(memPtr, (U16)val);
    ((BYTE*)memPtr)[2] = (BYTE)(val>>16);
}
static __inline __attribute__((unused)) U32 MEM_readLE32(const void* memPtr)
{
    if (MEM_isLittleEndian())
        return MEM_read32(memPtr);
    else
        return MEM_swap32(MEM_read32(memPtr));
}
static __inline __attribute__((unused)) void MEM_writeLE32(void* memPtr, U32 val32)
{
    if (MEM_isLittleEndian())
        MEM_write32(memPtr, val32);
    else
        MEM_write32(memPtr, MEM_swap32(val32));
}
static __inline __attribute__((unused)) U64 MEM_readLE64(const void* memPtr)
{
    if (MEM_isLittleEndian())
        return MEM_read64(memPtr);
    else
        return MEM_swap64(MEM_read64(memPtr));
}
static __inline __attribute__((unused)) void MEM_writeLE64(void* memPtr, U64 val64)
{
    if (MEM_isLittleEndian())
        MEM_write64(memPtr, val64);
    else
        MEM_write64(memPtr, MEM_swap64(val64));
}
static __inline __attribute__((unused)) size_t MEM_readLEST(const void* memPtr)
{
    if (MEM_32bits())
        return (size_t)MEM_readLE32(memPtr);
    else
        return (size_t)MEM_readLE64(memPtr);
}
static __inline __attribute__((unused)) void MEM_writeLEST(void* memPtr, size_t val)
{
    if (MEM_32bits())
        MEM_writeLE32(memPtr, (U32)val);
    else
        MEM_writeLE64(memPtr, (U64)val);
}
static __inline __attribute__((unused)) U32 MEM_readBE32(const void* memPtr)
{
    if (MEM_isLittleEndian())
        return MEM_swap32(MEM_read32(memPtr));
    else
        return MEM_read32(memPtr);
}
static __inline __attribute__((unused)) void MEM_writeBE32(void* memPtr, U32 val32)
{
    if (MEM_isLittleEndian())
        MEM_write32(memPtr, MEM_swap32(val32));
    else
        MEM_write32(memPtr, val32);
}
static __inline __attribute__((unused)) U64 MEM_readBE64(const void* memPtr)
{
    if (MEM_isLittleEndian())
        return MEM_swap64(MEM_read64(memPtr));
    else
        return MEM_read64(memPtr);
}
static __inline __attribute__((unused)) void MEM_writeBE64(void* memPtr, U64 val64)
{
    if (MEM_isLittleEndian())
        MEM_write64(memPtr, MEM_swap64(val64));
    else
        MEM_write64(memPtr, val64);
}
static __inline __attribute__((unused)) size_t MEM_readBEST(const void* memPtr)
{
    if (MEM_32bits())
        return (size_t)MEM_readBE32(memPtr);
    else
        return (size_t)MEM_readBE64(memPtr);
}
static __inline __attribute__((unused)) void MEM_writeBEST(void* memPtr, size_t val)
{
    if (MEM_32bits())
        MEM_writeBE32(memPtr, (U32)val);
    else
        MEM_writeBE64(memPtr, (U64)val);
}
static __inline __attribute__((unused)) void MEM_check(void) { (void)sizeof(char[((sizeof(size_t)==4) || (sizeof(size_t)==8)) ? 1 : -1]); }
typedef struct {
    U32 f1c;
    U32 f1d;
    U32 f7b;
    U32 f7c;
} ZSTD_cpuid_t;
static __inline __attribute__((unused)) ZSTD_cpuid_t ZSTD_cpuid(void) {
    U32 f1c = 0;
    U32 f1d = 0;
    U32 f7b = 0;
    U32 f7c = 0;
    U32 n;
    __asm__("cpuid" : "=a"(n) : "a"(0) : "ebx", "ecx", "edx");
    if (n >= 1) {
      U32 f1a;
      __asm__("cpuid" : "=a"(f1a), "=c"(f1c), "=d"(f1d) : "a"(1) : "ebx");
    }
    if (n >= 7) {
      U32 f7a;
      __asm__("cpuid"
              : "=a"(f7a), "=b"(f7b), "=c"(f7c)
              : "a"(7), "c"(0)
              : "edx");
    }
    {
        ZSTD_cpuid_t cpuid;
        cpuid.f1c = f1c;
        cpuid.f1d = f1d;
        cpuid.f7b = f7b;
        cpuid.f7c = f7c;
        return cpuid;
    }
}
  static __inline __attribute__((unused)) int ZSTD_cpuid_sse3(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 0)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pclmuldq(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 1)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_dtes64(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 2)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_monitor(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 3)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_dscpl(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 4)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_vmx(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 5)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_smx(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 6)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_eist(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 7)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_tm2(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 8)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_ssse3(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 9)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_cnxtid(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 10)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_fma(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 12)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_cx16(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 13)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_xtpr(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 14)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pdcm(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 15)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pcid(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 17)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_dca(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 18)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_sse41(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 19)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_sse42(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 20)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_x2apic(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 21)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_movbe(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 22)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_popcnt(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 23)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_tscdeadline(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 24)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_aes(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 25)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_xsave(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 26)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_osxsave(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 27)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 28)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_f16c(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 29)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_rdrand(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1c) & (1U << 30)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_fpu(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 0)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_vme(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 1)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_de(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 2)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pse(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 3)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_tsc(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 4)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_msr(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 5)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pae(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 6)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_mce(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 7)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_cx8(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 8)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_apic(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 9)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_sep(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 11)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_mtrr(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 12)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pge(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 13)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_mca(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 14)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_cmov(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 15)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pat(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 16)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pse36(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 17)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_psn(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 18)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_clfsh(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 19)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_ds(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 21)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_acpi(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 22)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_mmx(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 23)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_fxsr(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 24)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_sse(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 25)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_sse2(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 26)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_ss(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 27)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_htt(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 28)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_tm(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 29)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pbe(ZSTD_cpuid_t const cpuid) { return ((cpuid.f1d) & (1U << 31)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_bmi1(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 3)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_hle(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 4)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx2(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 5)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_smep(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 7)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_bmi2(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 8)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_erms(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 9)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_invpcid(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 10)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_rtm(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 11)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_mpx(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 14)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512f(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 16)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512dq(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 17)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_rdseed(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 18)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_adx(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 19)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_smap(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 20)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512ifma(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 21)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_pcommit(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 22)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_clflushopt(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 23)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_clwb(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 24)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512pf(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 26)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512er(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 27)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512cd(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 28)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_sha(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 29)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512bw(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 30)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512vl(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7b) & (1U << 31)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_prefetchwt1(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7c) & (1U << 0)) != 0; }
  static __inline __attribute__((unused)) int ZSTD_cpuid_avx512vbmi(ZSTD_cpuid_t const cpuid) { return ((cpuid.f7c) & (1U << 1)) != 0; }
typedef enum {
  ZSTD_error_no_error = 0,
  ZSTD_error_GENERIC = 1,
  ZSTD_error_prefix_unknown = 10,
  ZSTD_error_version_unsupported = 12,
  ZSTD_error_frameParameter_unsupported = 14,
  ZSTD_error_frameParameter_windowTooLarge = 16,
  ZSTD_error_corruption_detected = 20,
  ZSTD_error_checksum_wrong = 22,
  ZSTD_error_literals_headerWrong = 24,
  ZSTD_error_dictionary_corrupted = 30,
  ZSTD_error_dictionary_wrong = 32,
  ZSTD_error_dictionaryCreation_failed = 34,
  ZSTD_error_parameter_unsupported = 40,
  ZSTD_error_parameter_combination_unsupported = 41,
  ZSTD_error_parameter_outOfBound = 42,
  ZSTD_error_tableLog_tooLarge = 44,
  ZSTD_error_maxSymbolValue_tooLarge = 46,
  ZSTD_error_maxSymbolValue_tooSmall = 48,
  ZSTD_error_cannotProduce_uncompressedBlock = 49,
  ZSTD_error_stabilityCondition_notRespected = 50,
  ZSTD_error_stage_wrong = 60,
  ZSTD_error_init_missing = 62,
  ZSTD_error_memory_allocation = 64,
  ZSTD_error_workSpace_tooSmall= 66,
  ZSTD_error_dstSize_tooSmall = 70,
  ZSTD_error_srcSize_wrong = 72,
  ZSTD_error_dstBuffer_null = 74,
  ZSTD_error_noForwardProgress_destFull = 80,
  ZSTD_error_noForwardProgress_inputEmpty = 82,
  ZSTD_error_frameIndex_tooLarge = 100,
  ZSTD_error_seekableIO = 102,
  ZSTD_error_dstBuffer_wrong = 104,
  ZSTD_error_srcBuffer_wrong = 105,
  ZSTD_error_sequenceProducer_failed = 106,
  ZSTD_error_externalSequences_invalid = 107,
  ZSTD_error_maxCode = 120
} ZSTD_ErrorCode;
__attribute__ ((visibility ("default"))) const char* ZSTD_getErrorString(ZSTD_ErrorCode code);
typedef ZSTD_ErrorCode ERR_enum;
static __attribute__((unused)) unsigned ERR_isError(size_t code) { return (code > ((size_t)-ZSTD_error_maxCode)); }
static __attribute__((unused)) ERR_enum ERR_getErrorCode(size_t code) { if (!ERR_isError(code)) return (ERR_enum)0; return (ERR_enum) (0-code); }
const char* ERR_getErrorString(ERR_enum code);
static __attribute__((unused)) const char* ERR_getErrorName(size_t code)
{
    return ERR_getErrorString(ERR_getErrorCode(code));
}
static inline __attribute__((unused))
void _force_has_format_string(const char *format, ...) {
  (void)format;
}

__attribute__ ((visibility ("default"))) unsigned ZSTD_versionNumber(void);
__attribute__ ((visibility ("default"))) const char* ZSTD_versionString(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_compress( void* dst, size_t dstCapacity,
                            const void* src, size_t srcSize,
                                  int compressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompress( void* dst, size_t dstCapacity,
                              const void* src, size_t compressedSize);
__attribute__ ((visibility ("default"))) unsigned long long ZSTD_getFrameContentSize(const void *src, size_t srcSize);
__attribute__((deprecated("Replaced by ZSTD_getFrameContentSize")))
__attribute__ ((visibility ("default"))) unsigned long long ZSTD_getDecompressedSize(const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_findFrameCompressedSize(const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_compressBound(size_t srcSize);
__attribute__ ((visibility ("default"))) unsigned ZSTD_isError(size_t result);
__attribute__ ((visibility ("default"))) ZSTD_ErrorCode ZSTD_getErrorCode(size_t functionResult);
__attribute__ ((visibility ("default"))) const char* ZSTD_getErrorName(size_t result);
__attribute__ ((visibility ("default"))) int ZSTD_minCLevel(void);
__attribute__ ((visibility ("default"))) int ZSTD_maxCLevel(void);
__attribute__ ((visibility ("default"))) int ZSTD_defaultCLevel(void);
typedef struct ZSTD_CCtx_s ZSTD_CCtx;
__attribute__ ((visibility ("default"))) ZSTD_CCtx* ZSTD_createCCtx(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_freeCCtx(ZSTD_CCtx* cctx);
__attribute__ ((visibility ("default"))) size_t ZSTD_compressCCtx(ZSTD_CCtx* cctx,
                                     void* dst, size_t dstCapacity,
                               const void* src, size_t srcSize,
                                     int compressionLevel);
typedef struct ZSTD_DCtx_s ZSTD_DCtx;
__attribute__ ((visibility ("default"))) ZSTD_DCtx* ZSTD_createDCtx(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_freeDCtx(ZSTD_DCtx* dctx);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressDCtx(ZSTD_DCtx* dctx,
                                       void* dst, size_t dstCapacity,
                                 const void* src, size_t srcSize);
typedef enum { ZSTD_fast=1,
               ZSTD_dfast=2,
               ZSTD_greedy=3,
               ZSTD_lazy=4,
               ZSTD_lazy2=5,
               ZSTD_btlazy2=6,
               ZSTD_btopt=7,
               ZSTD_btultra=8,
               ZSTD_btultra2=9
} ZSTD_strategy;
typedef enum {
    ZSTD_c_compressionLevel=100,
    ZSTD_c_windowLog=101,
    ZSTD_c_hashLog=102,
    ZSTD_c_chainLog=103,
    ZSTD_c_searchLog=104,
    ZSTD_c_minMatch=105,
    ZSTD_c_targetLength=106,
    ZSTD_c_strategy=107,
    ZSTD_c_targetCBlockSize=130,
    ZSTD_c_enableLongDistanceMatching=160,
    ZSTD_c_ldmHashLog=161,
    ZSTD_c_ldmMinMatch=162,
    ZSTD_c_ldmBucketSizeLog=163,
    ZSTD_c_ldmHashRateLog=164,
    ZSTD_c_contentSizeFlag=200,
    ZSTD_c_checksumFlag=201,
    ZSTD_c_dictIDFlag=202,
    ZSTD_c_nbWorkers=400,
    ZSTD_c_jobSize=401,
    ZSTD_c_overlapLog=402,
     ZSTD_c_experimentalParam1=500,
     ZSTD_c_experimentalParam2=10,
     ZSTD_c_experimentalParam3=1000,
     ZSTD_c_experimentalParam4=1001,
     ZSTD_c_experimentalParam5=1002,
     ZSTD_c_experimentalParam7=1004,
     ZSTD_c_experimentalParam8=1005,
     ZSTD_c_experimentalParam9=1006,
     ZSTD_c_experimentalParam10=1007,
     ZSTD_c_experimentalParam11=1008,
     ZSTD_c_experimentalParam12=1009,
     ZSTD_c_experimentalParam13=1010,
     ZSTD_c_experimentalParam14=1011,
     ZSTD_c_experimentalParam15=1012,
     ZSTD_c_experimentalParam16=1013,
     ZSTD_c_experimentalParam17=1014,
     ZSTD_c_experimentalParam18=1015,
     ZSTD_c_experimentalParam19=1016,
     ZSTD_c_experimentalParam20=1017
} ZSTD_cParameter;
typedef struct {
    size_t error;
    int lowerBound;
    int upperBound;
} ZSTD_bounds;
__attribute__ ((visibility ("default"))) ZSTD_bounds ZSTD_cParam_getBounds(ZSTD_cParameter cParam);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_setParameter(ZSTD_CCtx* cctx, ZSTD_cParameter param, int value);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_setPledgedSrcSize(ZSTD_CCtx* cctx, unsigned long long pledgedSrcSize);
typedef enum {
    ZSTD_reset_session_only = 1,
    ZSTD_reset_parameters = 2,
    ZSTD_reset_session_and_parameters = 3
} ZSTD_ResetDirective;
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_reset(ZSTD_CCtx* cctx, ZSTD_ResetDirective reset);
__attribute__ ((visibility ("default"))) size_t ZSTD_compress2( ZSTD_CCtx* cctx,
                                   void* dst, size_t dstCapacity,
                             const void* src, size_t srcSize);
typedef enum {
    ZSTD_d_windowLogMax=100,
     ZSTD_d_experimentalParam1=1000,
     ZSTD_d_experimentalParam2=1001,
     ZSTD_d_experimentalParam3=1002,
     ZSTD_d_experimentalParam4=1003,
     ZSTD_d_experimentalParam5=1004,
     ZSTD_d_experimentalParam6=1005
} ZSTD_dParameter;
__attribute__ ((visibility ("default"))) ZSTD_bounds ZSTD_dParam_getBounds(ZSTD_dParameter dParam);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_setParameter(ZSTD_DCtx* dctx, ZSTD_dParameter param, int value);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_reset(ZSTD_DCtx* dctx, ZSTD_ResetDirective reset);
typedef struct ZSTD_inBuffer_s {
  const void* src;
  size_t size;
  size_t pos;
} ZSTD_inBuffer;
typedef struct ZSTD_outBuffer_s {
  void* dst;
  size_t size;
  size_t pos;
} ZSTD_outBuffer;
typedef ZSTD_CCtx ZSTD_CStream;
__attribute__ ((visibility ("default"))) ZSTD_CStream* ZSTD_createCStream(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_freeCStream(ZSTD_CStream* zcs);
typedef enum {
    ZSTD_e_continue=0,
    ZSTD_e_flush=1,
    ZSTD_e_end=2
} ZSTD_EndDirective;
__attribute__ ((visibility ("default"))) size_t ZSTD_compressStream2( ZSTD_CCtx* cctx,
                                         ZSTD_outBuffer* output,
                                         ZSTD_inBuffer* input,
                                         ZSTD_EndDirective endOp);
__attribute__ ((visibility ("default"))) size_t ZSTD_CStreamInSize(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_CStreamOutSize(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_initCStream(ZSTD_CStream* zcs, int compressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_compressStream(ZSTD_CStream* zcs, ZSTD_outBuffer* output, ZSTD_inBuffer* input);
__attribute__ ((visibility ("default"))) size_t ZSTD_flushStream(ZSTD_CStream* zcs, ZSTD_outBuffer* output);
__attribute__ ((visibility ("default"))) size_t ZSTD_endStream(ZSTD_CStream* zcs, ZSTD_outBuffer* output);
typedef ZSTD_DCtx ZSTD_DStream;
__attribute__ ((visibility ("default"))) ZSTD_DStream* ZSTD_createDStream(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_freeDStream(ZSTD_DStream* zds);
__attribute__ ((visibility ("default"))) size_t ZSTD_initDStream(ZSTD_DStream* zds);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressStream(ZSTD_DStream* zds, ZSTD_outBuffer* output, ZSTD_inBuffer* input);
__attribute__ ((visibility ("default"))) size_t ZSTD_DStreamInSize(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_DStreamOutSize(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_compress_usingDict(ZSTD_CCtx* ctx,
                                           void* dst, size_t dstCapacity,
                                     const void* src, size_t srcSize,
                                     const void* dict,size_t dictSize,
                                           int compressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompress_usingDict(ZSTD_DCtx* dctx,
                                             void* dst, size_t dstCapacity,
                                       const void* src, size_t srcSize,
                                       const void* dict,size_t dictSize);
typedef struct ZSTD_CDict_s ZSTD_CDict;
__attribute__ ((visibility ("default"))) ZSTD_CDict* ZSTD_createCDict(const void* dictBuffer, size_t dictSize,
                                         int compressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_freeCDict(ZSTD_CDict* CDict);
__attribute__ ((visibility ("default"))) size_t ZSTD_compress_usingCDict(ZSTD_CCtx* cctx,
                                            void* dst, size_t dstCapacity,
                                      const void* src, size_t srcSize,
                                      const ZSTD_CDict* cdict);
typedef struct ZSTD_DDict_s ZSTD_DDict;
__attribute__ ((visibility ("default"))) ZSTD_DDict* ZSTD_createDDict(const void* dictBuffer, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_freeDDict(ZSTD_DDict* ddict);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompress_usingDDict(ZSTD_DCtx* dctx,
                                              void* dst, size_t dstCapacity,
                                        const void* src, size_t srcSize,
                                        const ZSTD_DDict* ddict);
__attribute__ ((visibility ("default"))) unsigned ZSTD_getDictID_fromDict(const void* dict, size_t dictSize);
__attribute__ ((visibility ("default"))) unsigned ZSTD_getDictID_fromCDict(const ZSTD_CDict* cdict);
__attribute__ ((visibility ("default"))) unsigned ZSTD_getDictID_fromDDict(const ZSTD_DDict* ddict);
__attribute__ ((visibility ("default"))) unsigned ZSTD_getDictID_fromFrame(const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_loadDictionary(ZSTD_CCtx* cctx, const void* dict, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_refCDict(ZSTD_CCtx* cctx, const ZSTD_CDict* cdict);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_refPrefix(ZSTD_CCtx* cctx,
                                 const void* prefix, size_t prefixSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_loadDictionary(ZSTD_DCtx* dctx, const void* dict, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_refDDict(ZSTD_DCtx* dctx, const ZSTD_DDict* ddict);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_refPrefix(ZSTD_DCtx* dctx,
                                 const void* prefix, size_t prefixSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_sizeof_CCtx(const ZSTD_CCtx* cctx);
__attribute__ ((visibility ("default"))) size_t ZSTD_sizeof_DCtx(const ZSTD_DCtx* dctx);
__attribute__ ((visibility ("default"))) size_t ZSTD_sizeof_CStream(const ZSTD_CStream* zcs);
__attribute__ ((visibility ("default"))) size_t ZSTD_sizeof_DStream(const ZSTD_DStream* zds);
__attribute__ ((visibility ("default"))) size_t ZSTD_sizeof_CDict(const ZSTD_CDict* cdict);
__attribute__ ((visibility ("default"))) size_t ZSTD_sizeof_DDict(const ZSTD_DDict* ddict);
typedef struct ZSTD_CCtx_params_s ZSTD_CCtx_params;
typedef struct {
    unsigned int offset;
    unsigned int litLength;
    unsigned int matchLength;
    unsigned int rep;
} ZSTD_Sequence;
typedef struct {
    unsigned windowLog;
    unsigned chainLog;
    unsigned hashLog;
    unsigned searchLog;
    unsigned minMatch;
    unsigned targetLength;
    ZSTD_strategy strategy;
} ZSTD_compressionParameters;
typedef struct {
    int contentSizeFlag;
    int checksumFlag;
    int noDictIDFlag;
} ZSTD_frameParameters;
typedef struct {
    ZSTD_compressionParameters cParams;
    ZSTD_frameParameters fParams;
} ZSTD_parameters;
typedef enum {
    ZSTD_dct_auto = 0,
    ZSTD_dct_rawContent = 1,
    ZSTD_dct_fullDict = 2
} ZSTD_dictContentType_e;
typedef enum {
    ZSTD_dlm_byCopy = 0,
    ZSTD_dlm_byRef = 1
} ZSTD_dictLoadMethod_e;
typedef enum {
    ZSTD_f_zstd1 = 0,
    ZSTD_f_zstd1_magicless = 1
} ZSTD_format_e;
typedef enum {
    ZSTD_d_validateChecksum = 0,
    ZSTD_d_ignoreChecksum = 1
} ZSTD_forceIgnoreChecksum_e;
typedef enum {
    ZSTD_rmd_refSingleDDict = 0,
    ZSTD_rmd_refMultipleDDicts = 1
} ZSTD_refMultipleDDicts_e;
typedef enum {
    ZSTD_dictDefaultAttach = 0,
    ZSTD_dictForceAttach = 1,
    ZSTD_dictForceCopy = 2,
    ZSTD_dictForceLoad = 3
} ZSTD_dictAttachPref_e;
typedef enum {
  ZSTD_lcm_auto = 0,
  ZSTD_lcm_huffman = 1,
  ZSTD_lcm_uncompressed = 2
} ZSTD_literalCompressionMode_e;
typedef enum {
  ZSTD_ps_auto = 0,
  ZSTD_ps_enable = 1,
  ZSTD_ps_disable = 2
} ZSTD_ParamSwitch_e;
__attribute__ ((visibility ("default"))) unsigned long long ZSTD_findDecompressedSize(const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) unsigned long long ZSTD_decompressBound(const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_frameHeaderSize(const void* src, size_t srcSize);
typedef enum { ZSTD_frame, ZSTD_skippableFrame } ZSTD_FrameType_e;
typedef struct {
    unsigned long long frameContentSize;
    unsigned long long windowSize;
    unsigned blockSizeMax;
    ZSTD_FrameType_e frameType;
    unsigned headerSize;
    unsigned dictID;
    unsigned checksumFlag;
    unsigned _reserved1;
    unsigned _reserved2;
} ZSTD_FrameHeader;
__attribute__ ((visibility ("default"))) size_t ZSTD_getFrameHeader(ZSTD_FrameHeader* zfhPtr, const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_getFrameHeader_advanced(ZSTD_FrameHeader* zfhPtr, const void* src, size_t srcSize, ZSTD_format_e format);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressionMargin(const void* src, size_t srcSize);
typedef enum {
  ZSTD_sf_noBlockDelimiters = 0,
  ZSTD_sf_explicitBlockDelimiters = 1
} ZSTD_SequenceFormat_e;
__attribute__ ((visibility ("default"))) size_t ZSTD_sequenceBound(size_t srcSize);
__attribute__((deprecated("For debugging only, will be replaced by ZSTD_extractSequences()")))
__attribute__ ((visibility ("default"))) size_t
ZSTD_generateSequences(ZSTD_CCtx* zc,
                       ZSTD_Sequence* outSeqs, size_t outSeqsCapacity,
                       const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_mergeBlockDelimiters(ZSTD_Sequence* sequences, size_t seqsSize);
__attribute__ ((visibility ("default"))) size_t
ZSTD_compressSequences(ZSTD_CCtx* cctx,
                       void* dst, size_t dstCapacity,
                 const ZSTD_Sequence* inSeqs, size_t inSeqsSize,
                 const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t
ZSTD_compressSequencesAndLiterals(ZSTD_CCtx* cctx,
                                  void* dst, size_t dstCapacity,
                            const ZSTD_Sequence* inSeqs, size_t nbSequences,
                            const void* literals, size_t litSize, size_t litBufCapacity,
                            size_t decompressedSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_writeSkippableFrame(void* dst, size_t dstCapacity,
                                             const void* src, size_t srcSize,
                                                   unsigned magicVariant);
__attribute__ ((visibility ("default"))) size_t ZSTD_readSkippableFrame(void* dst, size_t dstCapacity,
                                                  unsigned* magicVariant,
                                                  const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) unsigned ZSTD_isSkippableFrame(const void* buffer, size_t size);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCCtxSize(int maxCompressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCCtxSize_usingCParams(ZSTD_compressionParameters cParams);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCCtxSize_usingCCtxParams(const ZSTD_CCtx_params* params);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateDCtxSize(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCStreamSize(int maxCompressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCStreamSize_usingCParams(ZSTD_compressionParameters cParams);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCStreamSize_usingCCtxParams(const ZSTD_CCtx_params* params);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateDStreamSize(size_t maxWindowSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateDStreamSize_fromFrame(const void* src, size_t srcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCDictSize(size_t dictSize, int compressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateCDictSize_advanced(size_t dictSize, ZSTD_compressionParameters cParams, ZSTD_dictLoadMethod_e dictLoadMethod);
__attribute__ ((visibility ("default"))) size_t ZSTD_estimateDDictSize(size_t dictSize, ZSTD_dictLoadMethod_e dictLoadMethod);
__attribute__ ((visibility ("default"))) ZSTD_CCtx* ZSTD_initStaticCCtx(void* workspace, size_t workspaceSize);
__attribute__ ((visibility ("default"))) ZSTD_CStream* ZSTD_initStaticCStream(void* workspace, size_t workspaceSize);
__attribute__ ((visibility ("default"))) ZSTD_DCtx* ZSTD_initStaticDCtx(void* workspace, size_t workspaceSize);
__attribute__ ((visibility ("default"))) ZSTD_DStream* ZSTD_initStaticDStream(void* workspace, size_t workspaceSize);
__attribute__ ((visibility ("default"))) const ZSTD_CDict* ZSTD_initStaticCDict(
                                        void* workspace, size_t workspaceSize,
                                        const void* dict, size_t dictSize,
                                        ZSTD_dictLoadMethod_e dictLoadMethod,
                                        ZSTD_dictContentType_e dictContentType,
                                        ZSTD_compressionParameters cParams);
__attribute__ ((visibility ("default"))) const ZSTD_DDict* ZSTD_initStaticDDict(
                                        void* workspace, size_t workspaceSize,
                                        const void* dict, size_t dictSize,
                                        ZSTD_dictLoadMethod_e dictLoadMethod,
                                        ZSTD_dictContentType_e dictContentType);
typedef void* (*ZSTD_allocFunction) (void* opaque, size_t size);
typedef void (*ZSTD_freeFunction) (void* opaque, void* address);
typedef struct { ZSTD_allocFunction customAlloc; ZSTD_freeFunction customFree; void* opaque; } ZSTD_customMem;
static
__attribute__((__unused__))
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wzero-as-null-pointer-constant"
ZSTD_customMem const ZSTD_defaultCMem = { ((void*)0), ((void*)0), ((void*)0) };
#pragma clang diagnostic pop
__attribute__ ((visibility ("default"))) ZSTD_CCtx* ZSTD_createCCtx_advanced(ZSTD_customMem customMem);
__attribute__ ((visibility ("default"))) ZSTD_CStream* ZSTD_createCStream_advanced(ZSTD_customMem customMem);
__attribute__ ((visibility ("default"))) ZSTD_DCtx* ZSTD_createDCtx_advanced(ZSTD_customMem customMem);
__attribute__ ((visibility ("default"))) ZSTD_DStream* ZSTD_createDStream_advanced(ZSTD_customMem customMem);
__attribute__ ((visibility ("default"))) ZSTD_CDict* ZSTD_createCDict_advanced(const void* dict, size_t dictSize,
                                                  ZSTD_dictLoadMethod_e dictLoadMethod,
                                                  ZSTD_dictContentType_e dictContentType,
                                                  ZSTD_compressionParameters cParams,
                                                  ZSTD_customMem customMem);
typedef struct POOL_ctx_s ZSTD_threadPool;
__attribute__ ((visibility ("default"))) ZSTD_threadPool* ZSTD_createThreadPool(size_t numThreads);
__attribute__ ((visibility ("default"))) void ZSTD_freeThreadPool (ZSTD_threadPool* pool);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_refThreadPool(ZSTD_CCtx* cctx, ZSTD_threadPool* pool);
__attribute__ ((visibility ("default"))) ZSTD_CDict* ZSTD_createCDict_advanced2(
    const void* dict, size_t dictSize,
    ZSTD_dictLoadMethod_e dictLoadMethod,
    ZSTD_dictContentType_e dictContentType,
    const ZSTD_CCtx_params* cctxParams,
    ZSTD_customMem customMem);
__attribute__ ((visibility ("default"))) ZSTD_DDict* ZSTD_createDDict_advanced(
    const void* dict, size_t dictSize,
    ZSTD_dictLoadMethod_e dictLoadMethod,
    ZSTD_dictContentType_e dictContentType,
    ZSTD_customMem customMem);
__attribute__ ((visibility ("default"))) ZSTD_CDict* ZSTD_createCDict_byReference(const void* dictBuffer, size_t dictSize, int compressionLevel);
__attribute__ ((visibility ("default"))) ZSTD_compressionParameters ZSTD_getCParams(int compressionLevel, unsigned long long estimatedSrcSize, size_t dictSize);
__attribute__ ((visibility ("default"))) ZSTD_parameters ZSTD_getParams(int compressionLevel, unsigned long long estimatedSrcSize, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_checkCParams(ZSTD_compressionParameters params);
__attribute__ ((visibility ("default"))) ZSTD_compressionParameters ZSTD_adjustCParams(ZSTD_compressionParameters cPar, unsigned long long srcSize, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_setCParams(ZSTD_CCtx* cctx, ZSTD_compressionParameters cparams);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_setFParams(ZSTD_CCtx* cctx, ZSTD_frameParameters fparams);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_setParams(ZSTD_CCtx* cctx, ZSTD_parameters params);
__attribute__((deprecated("use ZSTD_compress2")))
__attribute__ ((visibility ("default")))
size_t ZSTD_compress_advanced(ZSTD_CCtx* cctx,
                              void* dst, size_t dstCapacity,
                        const void* src, size_t srcSize,
                        const void* dict,size_t dictSize,
                              ZSTD_parameters params);
__attribute__((deprecated("use ZSTD_compress2 with ZSTD_CCtx_loadDictionary")))
__attribute__ ((visibility ("default")))
size_t ZSTD_compress_usingCDict_advanced(ZSTD_CCtx* cctx,
                                              void* dst, size_t dstCapacity,
                                        const void* src, size_t srcSize,
                                        const ZSTD_CDict* cdict,
                                              ZSTD_frameParameters fParams);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_loadDictionary_byReference(ZSTD_CCtx* cctx, const void* dict, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_loadDictionary_advanced(ZSTD_CCtx* cctx, const void* dict, size_t dictSize, ZSTD_dictLoadMethod_e dictLoadMethod, ZSTD_dictContentType_e dictContentType);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_refPrefix_advanced(ZSTD_CCtx* cctx, const void* prefix, size_t prefixSize, ZSTD_dictContentType_e dictContentType);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_getParameter(const ZSTD_CCtx* cctx, ZSTD_cParameter param, int* value);
__attribute__ ((visibility ("default"))) ZSTD_CCtx_params* ZSTD_createCCtxParams(void);
__attribute__ ((visibility ("default"))) size_t ZSTD_freeCCtxParams(ZSTD_CCtx_params* params);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtxParams_reset(ZSTD_CCtx_params* params);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtxParams_init(ZSTD_CCtx_params* cctxParams, int compressionLevel);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtxParams_init_advanced(ZSTD_CCtx_params* cctxParams, ZSTD_parameters params);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtxParams_setParameter(ZSTD_CCtx_params* params, ZSTD_cParameter param, int value);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtxParams_getParameter(const ZSTD_CCtx_params* params, ZSTD_cParameter param, int* value);
__attribute__ ((visibility ("default"))) size_t ZSTD_CCtx_setParametersUsingCCtxParams(
        ZSTD_CCtx* cctx, const ZSTD_CCtx_params* params);
__attribute__ ((visibility ("default"))) size_t ZSTD_compressStream2_simpleArgs (
                            ZSTD_CCtx* cctx,
                            void* dst, size_t dstCapacity, size_t* dstPos,
                      const void* src, size_t srcSize, size_t* srcPos,
                            ZSTD_EndDirective endOp);
__attribute__ ((visibility ("default"))) unsigned ZSTD_isFrame(const void* buffer, size_t size);
__attribute__ ((visibility ("default"))) ZSTD_DDict* ZSTD_createDDict_byReference(const void* dictBuffer, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_loadDictionary_byReference(ZSTD_DCtx* dctx, const void* dict, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_loadDictionary_advanced(ZSTD_DCtx* dctx, const void* dict, size_t dictSize, ZSTD_dictLoadMethod_e dictLoadMethod, ZSTD_dictContentType_e dictContentType);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_refPrefix_advanced(ZSTD_DCtx* dctx, const void* prefix, size_t prefixSize, ZSTD_dictContentType_e dictContentType);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_setMaxWindowSize(ZSTD_DCtx* dctx, size_t maxWindowSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_DCtx_getParameter(ZSTD_DCtx* dctx, ZSTD_dParameter param, int* value);
__attribute__((deprecated("use ZSTD_DCtx_setParameter() instead")))
__attribute__ ((visibility ("default")))
size_t ZSTD_DCtx_setFormat(ZSTD_DCtx* dctx, ZSTD_format_e format);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressStream_simpleArgs (
                            ZSTD_DCtx* dctx,
                            void* dst, size_t dstCapacity, size_t* dstPos,
                      const void* src, size_t srcSize, size_t* srcPos);
__attribute__((deprecated("use ZSTD_CCtx_reset, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default")))
size_t ZSTD_initCStream_srcSize(ZSTD_CStream* zcs,
                         int compressionLevel,
                         unsigned long long pledgedSrcSize);
__attribute__((deprecated("use ZSTD_CCtx_reset, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default")))
size_t ZSTD_initCStream_usingDict(ZSTD_CStream* zcs,
                     const void* dict, size_t dictSize,
                           int compressionLevel);
__attribute__((deprecated("use ZSTD_CCtx_reset, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default")))
size_t ZSTD_initCStream_advanced(ZSTD_CStream* zcs,
                    const void* dict, size_t dictSize,
                          ZSTD_parameters params,
                          unsigned long long pledgedSrcSize);
__attribute__((deprecated("use ZSTD_CCtx_reset and ZSTD_CCtx_refCDict, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default")))
size_t ZSTD_initCStream_usingCDict(ZSTD_CStream* zcs, const ZSTD_CDict* cdict);
__attribute__((deprecated("use ZSTD_CCtx_reset and ZSTD_CCtx_refCDict, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default")))
size_t ZSTD_initCStream_usingCDict_advanced(ZSTD_CStream* zcs,
                               const ZSTD_CDict* cdict,
                                     ZSTD_frameParameters fParams,
                                     unsigned long long pledgedSrcSize);
__attribute__((deprecated("use ZSTD_CCtx_reset, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default")))
size_t ZSTD_resetCStream(ZSTD_CStream* zcs, unsigned long long pledgedSrcSize);
typedef struct {
    unsigned long long ingested;
    unsigned long long consumed;
    unsigned long long produced;
    unsigned long long flushed;
    unsigned currentJobID;
    unsigned nbActiveWorkers;
} ZSTD_frameProgression;
__attribute__ ((visibility ("default"))) ZSTD_frameProgression ZSTD_getFrameProgression(const ZSTD_CCtx* cctx);
__attribute__ ((visibility ("default"))) size_t ZSTD_toFlushNow(ZSTD_CCtx* cctx);
__attribute__((deprecated("use ZSTD_DCtx_reset + ZSTD_DCtx_loadDictionary, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default"))) size_t ZSTD_initDStream_usingDict(ZSTD_DStream* zds, const void* dict, size_t dictSize);
__attribute__((deprecated("use ZSTD_DCtx_reset + ZSTD_DCtx_refDDict, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default"))) size_t ZSTD_initDStream_usingDDict(ZSTD_DStream* zds, const ZSTD_DDict* ddict);
__attribute__((deprecated("use ZSTD_DCtx_reset, see zstd.h for detailed instructions")))
__attribute__ ((visibility ("default"))) size_t ZSTD_resetDStream(ZSTD_DStream* zds);
typedef size_t (*ZSTD_sequenceProducer_F) (
  void* sequenceProducerState,
  ZSTD_Sequence* outSeqs, size_t outSeqsCapacity,
  const void* src, size_t srcSize,
  const void* dict, size_t dictSize,
  int compressionLevel,
  size_t windowSize
);
__attribute__ ((visibility ("default"))) void
ZSTD_registerSequenceProducer(
  ZSTD_CCtx* cctx,
  void* sequenceProducerState,
  ZSTD_sequenceProducer_F sequenceProducer
);
__attribute__ ((visibility ("default"))) void
ZSTD_CCtxParams_registerSequenceProducer(
  ZSTD_CCtx_params* params,
  void* sequenceProducerState,
  ZSTD_sequenceProducer_F sequenceProducer
);
__attribute__((deprecated("The buffer-less API is deprecated in favor of the normal streaming API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_compressBegin(ZSTD_CCtx* cctx, int compressionLevel);
__attribute__((deprecated("The buffer-less API is deprecated in favor of the normal streaming API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_compressBegin_usingDict(ZSTD_CCtx* cctx, const void* dict, size_t dictSize, int compressionLevel);
__attribute__((deprecated("The buffer-less API is deprecated in favor of the normal streaming API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_compressBegin_usingCDict(ZSTD_CCtx* cctx, const ZSTD_CDict* cdict);
__attribute__((deprecated("This function will likely be removed in a future release. It is misleading and has very limited utility.")))
__attribute__ ((visibility ("default")))
size_t ZSTD_copyCCtx(ZSTD_CCtx* cctx, const ZSTD_CCtx* preparedCCtx, unsigned long long pledgedSrcSize);
__attribute__((deprecated("The buffer-less API is deprecated in favor of the normal streaming API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_compressContinue(ZSTD_CCtx* cctx, void* dst, size_t dstCapacity, const void* src, size_t srcSize);
__attribute__((deprecated("The buffer-less API is deprecated in favor of the normal streaming API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_compressEnd(ZSTD_CCtx* cctx, void* dst, size_t dstCapacity, const void* src, size_t srcSize);
__attribute__((deprecated("use advanced API to access custom parameters")))
__attribute__ ((visibility ("default")))
size_t ZSTD_compressBegin_advanced(ZSTD_CCtx* cctx, const void* dict, size_t dictSize, ZSTD_parameters params, unsigned long long pledgedSrcSize);
__attribute__((deprecated("use advanced API to access custom parameters")))
__attribute__ ((visibility ("default")))
size_t ZSTD_compressBegin_usingCDict_advanced(ZSTD_CCtx* const cctx, const ZSTD_CDict* const cdict, ZSTD_frameParameters const fParams, unsigned long long const pledgedSrcSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_decodingBufferSize_min(unsigned long long windowSize, unsigned long long frameContentSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressBegin(ZSTD_DCtx* dctx);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressBegin_usingDict(ZSTD_DCtx* dctx, const void* dict, size_t dictSize);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressBegin_usingDDict(ZSTD_DCtx* dctx, const ZSTD_DDict* ddict);
__attribute__ ((visibility ("default"))) size_t ZSTD_nextSrcSizeToDecompress(ZSTD_DCtx* dctx);
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressContinue(ZSTD_DCtx* dctx, void* dst, size_t dstCapacity, const void* src, size_t srcSize);
__attribute__((deprecated("This function will likely be removed in the next minor release. It is misleading and has very limited utility.")))
__attribute__ ((visibility ("default"))) void ZSTD_copyDCtx(ZSTD_DCtx* dctx, const ZSTD_DCtx* preparedDCtx);
typedef enum { ZSTDnit_frameHeader, ZSTDnit_blockHeader, ZSTDnit_block, ZSTDnit_lastBlock, ZSTDnit_checksum, ZSTDnit_skippableFrame } ZSTD_nextInputType_e;
__attribute__ ((visibility ("default"))) ZSTD_nextInputType_e ZSTD_nextInputType(ZSTD_DCtx* dctx);
__attribute__((deprecated("The block API is deprecated in favor of the normal compression API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_getBlockSize (const ZSTD_CCtx* cctx);
__attribute__((deprecated("The block API is deprecated in favor of the normal compression API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_compressBlock (ZSTD_CCtx* cctx, void* dst, size_t dstCapacity, const void* src, size_t srcSize);
__attribute__((deprecated("The block API is deprecated in favor of the normal compression API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_decompressBlock(ZSTD_DCtx* dctx, void* dst, size_t dstCapacity, const void* src, size_t srcSize);
__attribute__((deprecated("The block API is deprecated in favor of the normal compression API. See docs.")))
__attribute__ ((visibility ("default"))) size_t ZSTD_insertBlock (ZSTD_DCtx* dctx, const void* blockStart, size_t blockSize);

 unsigned FSE_versionNumber(void);
               size_t FSE_compressBound(size_t size);
               unsigned FSE_isError(size_t code);
               const char* FSE_getErrorName(size_t code);
               unsigned FSE_optimalTableLog(unsigned maxTableLog, size_t srcSize, unsigned maxSymbolValue);
               size_t FSE_normalizeCount(short* normalizedCounter, unsigned tableLog,
                    const unsigned* count, size_t srcSize, unsigned maxSymbolValue, unsigned useLowProbCount);
               size_t FSE_NCountWriteBound(unsigned maxSymbolValue, unsigned tableLog);
               size_t FSE_writeNCount (void* buffer, size_t bufferSize,
                                 const short* normalizedCounter,
                                 unsigned maxSymbolValue, unsigned tableLog);
typedef unsigned FSE_CTable;
               size_t FSE_buildCTable(FSE_CTable* ct, const short* normalizedCounter, unsigned maxSymbolValue, unsigned tableLog);
               size_t FSE_compress_usingCTable (void* dst, size_t dstCapacity, const void* src, size_t srcSize, const FSE_CTable* ct);
               size_t FSE_readNCount (short* normalizedCounter,
                           unsigned* maxSymbolValuePtr, unsigned* tableLogPtr,
                           const void* rBuffer, size_t rBuffSize);
               size_t FSE_readNCount_bmi2(short* normalizedCounter,
                           unsigned* maxSymbolValuePtr, unsigned* tableLogPtr,
                           const void* rBuffer, size_t rBuffSize, int bmi2);
typedef unsigned FSE_DTable;
static __inline __attribute__((unused)) unsigned ZSTD_countTrailingZeros32_fallback(U32 val)
{
    ((void)0);
    {
        static const U32 DeBruijnBytePos[32] = {0, 1, 28, 2, 29, 14, 24, 3,
                                                30, 22, 20, 15, 25, 17, 4, 8,
                                                31, 27, 13, 23, 21, 19, 16, 7,
                                                26, 12, 18, 6, 11, 5, 10, 9};
        return DeBruijnBytePos[((U32) ((val & -(S32) val) * 0x077CB531U)) >> 27];
    }
}
static __inline __attribute__((unused)) unsigned ZSTD_countTrailingZeros32(U32 val)
{
    ((void)0);
    return (unsigned)__builtin_ctz(val);
}
static __inline __attribute__((unused)) unsigned ZSTD_countLeadingZeros32_fallback(U32 val)
{
    ((void)0);
    {
        static const U32 DeBruijnClz[32] = {0, 9, 1, 10, 13, 21, 2, 29,
                                            11, 14, 16, 18, 22, 25, 3, 30,
                                            8, 12, 20, 28, 15, 17, 24, 7,
                                            19, 27, 23, 6, 26, 5, 4, 31};
        val |= val >> 1;
        val |= val >> 2;
        val |= val >> 4;
        val |= val >> 8;
        val |= val >> 16;
        return 31 - DeBruijnClz[(val * 0x07C4ACDDU) >> 27];
    }
}
static __inline __attribute__((unused)) unsigned ZSTD_countLeadingZeros32(U32 val)
{
    ((void)0);
    return (unsigned)__builtin_clz(val);
}
static __inline __attribute__((unused)) unsigned ZSTD_countTrailingZeros64(U64 val)
{
    ((void)0);
    return (unsigned)__builtin_ctzll(val);
}
static __inline __attribute__((unused)) unsigned ZSTD_countLeadingZeros64(U64 val)
{
    ((void)0);
    return (unsigned)(__builtin_clzll(val));
}
static __inline __attribute__((unused)) unsigned ZSTD_NbCommonBytes(size_t val)
{
    if (MEM_isLittleEndian()) {
        if (MEM_64bits()) {
            return ZSTD_countTrailingZeros64((U64)val) >> 3;
        } else {
            return ZSTD_countTrailingZeros32((U32)val) >> 3;
        }
    } else {
        if (MEM_64bits()) {
            return ZSTD_countLeadingZeros64((U64)val) >> 3;
        } else {
            return ZSTD_countLeadingZeros32((U32)val) >> 3;
        }
    }
}
static __inline __attribute__((unused)) unsigned ZSTD_highbit32(U32 val)
{
    ((void)0);
    return 31 - ZSTD_countLeadingZeros32(val);
}
static __inline __attribute__((unused))
U64 ZSTD_rotateRight_U64(U64 const value, U32 count) {
    ((void)0);
    count &= 0x3F;
    return (value >> count) | (U64)(value << ((0U - count) & 0x3F));
}
static __inline __attribute__((unused))
U32 ZSTD_rotateRight_U32(U32 const value, U32 count) {
    ((void)0);
    count &= 0x1F;
    return (value >> count) | (U32)(value << ((0U - count) & 0x1F));
}
static __inline __attribute__((unused))
U16 ZSTD_rotateRight_U16(U16 const value, U32 count) {
    ((void)0);
    count &= 0x0F;
    return (value >> count) | (U16)(value << ((0U - count) & 0x0F));
}
typedef size_t BitContainerType;
typedef struct {
    BitContainerType bitContainer;
    unsigned bitPos;
    char* startPtr;
    char* ptr;
    char* endPtr;
} BIT_CStream_t;
static __inline __attribute__((unused)) size_t BIT_initCStream(BIT_CStream_t* bitC, void* dstBuffer, size_t dstCapacity);
static __inline __attribute__((unused)) void BIT_addBits(BIT_CStream_t* bitC, BitContainerType value, unsigned nbBits);
static __inline __attribute__((unused)) void BIT_flushBits(BIT_CStream_t* bitC);
static __inline __attribute__((unused)) size_t BIT_closeCStream(BIT_CStream_t* bitC);
typedef struct {
    BitContainerType bitContainer;
    unsigned bitsConsumed;
    const char* ptr;
    const char* start;
    const char* limitPtr;
} BIT_DStream_t;
typedef enum { BIT_DStream_unfinished = 0,
               BIT_DStream_endOfBuffer = 1,
               BIT_DStream_completed = 2,
               BIT_DStream_overflow = 3
    } BIT_DStream_status;
static __inline __attribute__((unused)) size_t BIT_initDStream(BIT_DStream_t* bitD, const void* srcBuffer, size_t srcSize);
static __inline __attribute__((unused)) BitContainerType BIT_readBits(BIT_DStream_t* bitD, unsigned nbBits);
static __inline __attribute__((unused)) BIT_DStream_status BIT_reloadDStream(BIT_DStream_t* bitD);
static __inline __attribute__((unused)) unsigned BIT_endOfDStream(const BIT_DStream_t* bitD);
static __inline __attribute__((unused)) void BIT_addBitsFast(BIT_CStream_t* bitC, BitContainerType value, unsigned nbBits);
static __inline __attribute__((unused)) void BIT_flushBitsFast(BIT_CStream_t* bitC);
static __inline __attribute__((unused)) size_t BIT_readBitsFast(BIT_DStream_t* bitD, unsigned nbBits);
static const unsigned BIT_mask[] = {
    0, 1, 3, 7, 0xF, 0x1F,
    0x3F, 0x7F, 0xFF, 0x1FF, 0x3FF, 0x7FF,
    0xFFF, 0x1FFF, 0x3FFF, 0x7FFF, 0xFFFF, 0x1FFFF,
    0x3FFFF, 0x7FFFF, 0xFFFFF, 0x1FFFFF, 0x3FFFFF, 0x7FFFFF,
    0xFFFFFF, 0x1FFFFFF, 0x3FFFFFF, 0x7FFFFFF, 0xFFFFFFF, 0x1FFFFFFF,
    0x3FFFFFFF, 0x7FFFFFFF};
static __inline __attribute__((unused)) size_t BIT_initCStream(BIT_CStream_t* bitC,
                                  void* startPtr, size_t dstCapacity)
{
    bitC->bitContainer = 0;
    bitC->bitPos = 0;
    bitC->startPtr = (char*)startPtr;
    bitC->ptr = bitC->startPtr;
    bitC->endPtr = bitC->startPtr + dstCapacity - sizeof(bitC->bitContainer);
    if (dstCapacity <= sizeof(bitC->bitContainer)) return ((size_t)-ZSTD_error_dstSize_tooSmall);
    return 0;
}
static inline __attribute__((always_inline)) __attribute__((unused)) BitContainerType BIT_getLowerBits(BitContainerType bitContainer, U32 const nbBits)
{
    ((void)0);
    return bitContainer & BIT_mask[nbBits];
}
static __inline __attribute__((unused)) void BIT_addBits(BIT_CStream_t* bitC,
                            BitContainerType value, unsigned nbBits)
{
    (void)sizeof(char[((sizeof(BIT_mask) / sizeof(BIT_mask[0])) == 32) ? 1 : -1]);
    ((void)0);
    ((void)0);
    bitC->bitContainer |= BIT_getLowerBits(value, nbBits) << bitC->bitPos;
    bitC->bitPos += nbBits;
}
static __inline __attribute__((unused)) void BIT_addBitsFast(BIT_CStream_t* bitC,
                                BitContainerType value, unsigned nbBits)
{
    ((void)0);
    ((void)0);
    bitC->bitContainer |= value << bitC->bitPos;
    bitC->bitPos += nbBits;
}
static __inline __attribute__((unused)) void BIT_flushBitsFast(BIT_CStream_t* bitC)
{
    size_t const nbBytes = bitC->bitPos >> 3;
    ((void)0);
    ((void)0);
    MEM_writeLEST(bitC->ptr, bitC->bitContainer);
    bitC->ptr += nbBytes;
    bitC->bitPos &= 7;
    bitC->bitContainer >>= nbBytes*8;
}
static __inline __attribute__((unused)) void BIT_flushBits(BIT_CStream_t* bitC)
{
    size_t const nbBytes = bitC->bitPos >> 3;
    ((void)0);
    ((void)0);
    MEM_writeLEST(bitC->ptr, bitC->bitContainer);
    bitC->ptr += nbBytes;
    if (bitC->ptr > bitC->endPtr) bitC->ptr = bitC->endPtr;
    bitC->bitPos &= 7;
    bitC->bitContainer >>= nbBytes*8;
}
static __inline __attribute__((unused)) size_t BIT_closeCStream(BIT_CStream_t* bitC)
{
    BIT_addBitsFast(bitC, 1, 1);
    BIT_flushBits(bitC);
    if (bitC->ptr >= bitC->endPtr) return 0;
    return (size_t)(bitC->ptr - bitC->startPtr) + (bitC->bitPos > 0);
}
static __inline __attribute__((unused)) size_t BIT_initDStream(BIT_DStream_t* bitD, const void* srcBuffer, size_t srcSize)
{
    if (srcSize < 1) { __builtin_memset((bitD),(0),(sizeof(*bitD))); return ((size_t)-ZSTD_error_srcSize_wrong); }
    bitD->start = (const char*)srcBuffer;
    bitD->limitPtr = bitD->start + sizeof(bitD->bitContainer);
    if (srcSize >= sizeof(bitD->bitContainer)) {
        bitD->ptr = (const char*)srcBuffer + srcSize - sizeof(bitD->bitContainer);
        bitD->bitContainer = MEM_readLEST(bitD->ptr);
        { BYTE const lastByte = ((const BYTE*)srcBuffer)[srcSize-1];
          bitD->bitsConsumed = lastByte ? 8 - ZSTD_highbit32(lastByte) : 0;
          if (lastByte == 0) return ((size_t)-ZSTD_error_GENERIC); }
    } else {
        bitD->ptr = bitD->start;
        bitD->bitContainer = *(const BYTE*)(bitD->start);
        switch(srcSize)
        {
        case 7: bitD->bitContainer += (BitContainerType)(((const BYTE*)(srcBuffer))[6]) << (sizeof(bitD->bitContainer)*8 - 16);
                ; __attribute__((__fallthrough__));
        case 6: bitD->bitContainer += (BitContainerType)(((const BYTE*)(srcBuffer))[5]) << (sizeof(bitD->bitContainer)*8 - 24);
                ; __attribute__((__fallthrough__));
        case 5: bitD->bitContainer += (BitContainerType)(((const BYTE*)(srcBuffer))[4]) << (sizeof(bitD->bitContainer)*8 - 32);
                ; __attribute__((__fallthrough__));
        case 4: bitD->bitContainer += (BitContainerType)(((const BYTE*)(srcBuffer))[3]) << 24;
                ; __attribute__((__fallthrough__));
        case 3: bitD->bitContainer += (BitContainerType)(((const BYTE*)(srcBuffer))[2]) << 16;
                ; __attribute__((__fallthrough__));
        case 2: bitD->bitContainer += (BitContainerType)(((const BYTE*)(srcBuffer))[1]) << 8;
                ; __attribute__((__fallthrough__));
        default: break;
        }
        { BYTE const lastByte = ((const BYTE*)srcBuffer)[srcSize-1];
            bitD->bitsConsumed = lastByte ? 8 - ZSTD_highbit32(lastByte) : 0;
            if (lastByte == 0) return ((size_t)-ZSTD_error_corruption_detected);
        }
        bitD->bitsConsumed += (U32)(sizeof(bitD->bitContainer) - srcSize)*8;
    }
    return srcSize;
}
static inline __attribute__((always_inline)) __attribute__((unused)) BitContainerType BIT_getUpperBits(BitContainerType bitContainer, U32 const start)
{
    return bitContainer >> start;
}
static inline __attribute__((always_inline)) __attribute__((unused)) BitContainerType BIT_getMiddleBits(BitContainerType bitContainer, U32 const start, U32 const nbBits)
{
    U32 const regMask = sizeof(bitContainer)*8 - 1;
    ((void)0);
    return (bitContainer >> (start & regMask)) & ((((U64)1) << nbBits) - 1);
}
static inline __attribute__((always_inline)) __attribute__((unused)) BitContainerType BIT_lookBits(const BIT_DStream_t* bitD, U32 nbBits)
{
    return BIT_getMiddleBits(bitD->bitContainer, (sizeof(bitD->bitContainer)*8) - bitD->bitsConsumed - nbBits, nbBits);
}
static __inline __attribute__((unused)) BitContainerType BIT_lookBitsFast(const BIT_DStream_t* bitD, U32 nbBits)
{
    U32 const regMask = sizeof(bitD->bitContainer)*8 - 1;
    ((void)0);
    return (bitD->bitContainer << (bitD->bitsConsumed & regMask)) >> (((regMask+1)-nbBits) & regMask);
}
static inline __attribute__((always_inline)) __attribute__((unused)) void BIT_skipBits(BIT_DStream_t* bitD, U32 nbBits)
{
    bitD->bitsConsumed += nbBits;
}
static inline __attribute__((always_inline)) __attribute__((unused)) BitContainerType BIT_readBits(BIT_DStream_t* bitD, unsigned nbBits)
{
    BitContainerType const value = BIT_lookBits(bitD, nbBits);
    BIT_skipBits(bitD, nbBits);
    return value;
}
static __inline __attribute__((unused)) BitContainerType BIT_readBitsFast(BIT_DStream_t* bitD, unsigned nbBits)
{
    BitContainerType const value = BIT_lookBitsFast(bitD, nbBits);
    ((void)0);
    BIT_skipBits(bitD, nbBits);
    return value;
}
static __inline __attribute__((unused)) BIT_DStream_status BIT_reloadDStream_internal(BIT_DStream_t* bitD)
{
    ((void)0);
    bitD->ptr -= bitD->bitsConsumed >> 3;
    ((void)0);
    bitD->bitsConsumed &= 7;
    bitD->bitContainer = MEM_readLEST(bitD->ptr);
    return BIT_DStream_unfinished;
}
static __inline __attribute__((unused)) BIT_DStream_status BIT_reloadDStreamFast(BIT_DStream_t* bitD)
{
    if ((__builtin_expect((bitD->ptr < bitD->limitPtr), 0)))
        return BIT_DStream_overflow;
    return BIT_reloadDStream_internal(bitD);
}
static inline __attribute__((always_inline)) __attribute__((unused)) BIT_DStream_status BIT_reloadDStream(BIT_DStream_t* bitD)
{
    if ((__builtin_expect((bitD->bitsConsumed > (sizeof(bitD->bitContainer)*8)), 0))) {
        static const BitContainerType zeroFilled = 0;
        bitD->ptr = (const char*)&zeroFilled;
        return BIT_DStream_overflow;
    }
    ((void)0);
    if (bitD->ptr >= bitD->limitPtr) {
        return BIT_reloadDStream_internal(bitD);
    }
    if (bitD->ptr == bitD->start) {
        if (bitD->bitsConsumed < sizeof(bitD->bitContainer)*8) return BIT_DStream_endOfBuffer;
        return BIT_DStream_completed;
    }
    { U32 nbBytes = bitD->bitsConsumed >> 3;
        BIT_DStream_status result = BIT_DStream_unfinished;
        if (bitD->ptr - nbBytes < bitD->start) {
            nbBytes = (U32)(bitD->ptr - bitD->start);
            result = BIT_DStream_endOfBuffer;
        }
        bitD->ptr -= nbBytes;
        bitD->bitsConsumed -= nbBytes*8;
        bitD->bitContainer = MEM_readLEST(bitD->ptr);
        return result;
    }
}
static __inline __attribute__((unused)) unsigned BIT_endOfDStream(const BIT_DStream_t* DStream)
{
    return ((DStream->ptr == DStream->start) && (DStream->bitsConsumed == sizeof(DStream->bitContainer)*8));
}
unsigned FSE_optimalTableLog_internal(unsigned maxTableLog, size_t srcSize, unsigned maxSymbolValue, unsigned minus);
size_t FSE_buildCTable_rle (FSE_CTable* ct, unsigned char symbolValue);
size_t FSE_buildCTable_wksp(FSE_CTable* ct, const short* normalizedCounter, unsigned maxSymbolValue, unsigned tableLog, void* workSpace, size_t wkspSize);
               size_t FSE_buildDTable_wksp(FSE_DTable* dt, const short* normalizedCounter, unsigned maxSymbolValue, unsigned tableLog, void* workSpace, size_t wkspSize);
size_t FSE_decompress_wksp_bmi2(void* dst, size_t dstCapacity, const void* cSrc, size_t cSrcSize, unsigned maxLog, void* workSpace, size_t wkspSize, int bmi2);
typedef enum {
   FSE_repeat_none,
   FSE_repeat_check,
   FSE_repeat_valid
 } FSE_repeat;
typedef struct {
    ptrdiff_t value;
    const void* stateTable;
    const void* symbolTT;
    unsigned stateLog;
} FSE_CState_t;
static void FSE_initCState(FSE_CState_t* CStatePtr, const FSE_CTable* ct);
static void FSE_encodeSymbol(BIT_CStream_t* bitC, FSE_CState_t* CStatePtr, unsigned symbol);
static void FSE_flushCState(BIT_CStream_t* bitC, const FSE_CState_t* CStatePtr);
typedef struct {
    size_t state;
    const void* table;
} FSE_DState_t;
static void FSE_initDState(FSE_DState_t* DStatePtr, BIT_DStream_t* bitD, const FSE_DTable* dt);
static unsigned char FSE_decodeSymbol(FSE_DState_t* DStatePtr, BIT_DStream_t* bitD);
static unsigned FSE_endOfDState(const FSE_DState_t* DStatePtr);
static unsigned char FSE_decodeSymbolFast(FSE_DState_t* DStatePtr, BIT_DStream_t* bitD);
typedef struct {
    int deltaFindState;
    U32 deltaNbBits;
} FSE_symbolCompressionTransform;
static __inline __attribute__((unused)) void FSE_initCState(FSE_CState_t* statePtr, const FSE_CTable* ct)
{
    const void* ptr = ct;
    const U16* u16ptr = (const U16*) ptr;
    const U32 tableLog = MEM_read16(ptr);
    statePtr->value = (ptrdiff_t)1<<tableLog;
    statePtr->stateTable = u16ptr+2;
    statePtr->symbolTT = ct + 1 + (tableLog ? (1<<(tableLog-1)) : 1);
    statePtr->stateLog = tableLog;
}
static __inline __attribute__((unused)) void FSE_initCState2(FSE_CState_t* statePtr, const FSE_CTable* ct, U32 symbol)
{
    FSE_initCState(statePtr, ct);
    { const FSE_symbolCompressionTransform symbolTT = ((const FSE_symbolCompressionTransform*)(statePtr->symbolTT))[symbol];
        const U16* stateTable = (const U16*)(statePtr->stateTable);
        U32 nbBitsOut = (U32)((symbolTT.deltaNbBits + (1<<15)) >> 16);
        statePtr->value = (nbBitsOut << 16) - symbolTT.deltaNbBits;
        statePtr->value = stateTable[(statePtr->value >> nbBitsOut) + symbolTT.deltaFindState];
    }
}
static __inline __attribute__((unused)) void FSE_encodeSymbol(BIT_CStream_t* bitC, FSE_CState_t* statePtr, unsigned symbol)
{
    FSE_symbolCompressionTransform const symbolTT = ((const FSE_symbolCompressionTransform*)(statePtr->symbolTT))[symbol];
    const U16* const stateTable = (const U16*)(statePtr->stateTable);
    U32 const nbBitsOut = (U32)((statePtr->value + symbolTT.deltaNbBits) >> 16);
    BIT_addBits(bitC, (BitContainerType)statePtr->value, nbBitsOut);
    statePtr->value = stateTable[ (statePtr->value >> nbBitsOut) + symbolTT.deltaFindState];
}
static __inline __attribute__((unused)) void FSE_flushCState(BIT_CStream_t* bitC, const FSE_CState_t* statePtr)
{
    BIT_addBits(bitC, (BitContainerType)statePtr->value, statePtr->stateLog);
    BIT_flushBits(bitC);
}
static __inline __attribute__((unused)) U32 FSE_getMaxNbBits(const void* symbolTTPtr, U32 symbolValue)
{
    const FSE_symbolCompressionTransform* symbolTT = (const FSE_symbolCompressionTransform*) symbolTTPtr;
    return (symbolTT[symbolValue].deltaNbBits + ((1<<16)-1)) >> 16;
}
static __inline __attribute__((unused)) U32 FSE_bitCost(const void* symbolTTPtr, U32 tableLog, U32 symbolValue, U32 accuracyLog)
{
    const FSE_symbolCompressionTransform* symbolTT = (const FSE_symbolCompressionTransform*) symbolTTPtr;
    U32 const minNbBits = symbolTT[symbolValue].deltaNbBits >> 16;
    U32 const threshold = (minNbBits+1) << 16;
    ((void)0);
    ((void)0);
    { U32 const tableSize = 1 << tableLog;
        U32 const deltaFromThreshold = threshold - (symbolTT[symbolValue].deltaNbBits + tableSize);
        U32 const normalizedDeltaFromThreshold = (deltaFromThreshold << accuracyLog) >> tableLog;
        U32 const bitMultiplier = 1 << accuracyLog;
        ((void)0);
        ((void)0);
        return (minNbBits+1)*bitMultiplier - normalizedDeltaFromThreshold;
    }
}
typedef struct {
    U16 tableLog;
    U16 fastMode;
} FSE_DTableHeader;
typedef struct
{
    unsigned short newState;
    unsigned char symbol;
    unsigned char nbBits;
} FSE_decode_t;
static __inline __attribute__((unused)) void FSE_initDState(FSE_DState_t* DStatePtr, BIT_DStream_t* bitD, const FSE_DTable* dt)
{
    const void* ptr = dt;
    const FSE_DTableHeader* const DTableH = (const FSE_DTableHeader*)ptr;
    DStatePtr->state = BIT_readBits(bitD, DTableH->tableLog);
    BIT_reloadDStream(bitD);
    DStatePtr->table = dt + 1;
}
static __inline __attribute__((unused)) BYTE FSE_peekSymbol(const FSE_DState_t* DStatePtr)
{
    FSE_decode_t const DInfo = ((const FSE_decode_t*)(DStatePtr->table))[DStatePtr->state];
    return DInfo.symbol;
}
static __inline __attribute__((unused)) void FSE_updateState(FSE_DState_t* DStatePtr, BIT_DStream_t* bitD)
{
    FSE_decode_t const DInfo = ((const FSE_decode_t*)(DStatePtr->table))[DStatePtr->state];
    U32 const nbBits = DInfo.nbBits;
    size_t const lowBits = BIT_readBits(bitD, nbBits);
    DStatePtr->state = DInfo.newState + lowBits;
}
static __inline __attribute__((unused)) BYTE FSE_decodeSymbol(FSE_DState_t* DStatePtr, BIT_DStream_t* bitD)
{
    FSE_decode_t const DInfo = ((const FSE_decode_t*)(DStatePtr->table))[DStatePtr->state];
    U32 const nbBits = DInfo.nbBits;
    BYTE const symbol = DInfo.symbol;
    size_t const lowBits = BIT_readBits(bitD, nbBits);
    DStatePtr->state = DInfo.newState + lowBits;
    return symbol;
}
static __inline __attribute__((unused)) BYTE FSE_decodeSymbolFast(FSE_DState_t* DStatePtr, BIT_DStream_t* bitD)
{
    FSE_decode_t const DInfo = ((const FSE_decode_t*)(DStatePtr->table))[DStatePtr->state];
    U32 const nbBits = DInfo.nbBits;
    BYTE const symbol = DInfo.symbol;
    size_t const lowBits = BIT_readBitsFast(bitD, nbBits);
    DStatePtr->state = DInfo.newState + lowBits;
    return symbol;
}
static __inline __attribute__((unused)) unsigned FSE_endOfDState(const FSE_DState_t* DStatePtr)
{
    return DStatePtr->state == 0;
}
size_t HUF_compressBound(size_t size);
unsigned HUF_isError(size_t code);
const char* HUF_getErrorName(size_t code);
typedef size_t HUF_CElt;
typedef U32 HUF_DTable;
typedef enum {
    HUF_flags_bmi2 = (1 << 0),
    HUF_flags_optimalDepth = (1 << 1),
    HUF_flags_preferRepeat = (1 << 2),
    HUF_flags_suspectUncompressible = (1 << 3),
    HUF_flags_disableAsm = (1 << 4),
    HUF_flags_disableFast = (1 << 5)
} HUF_flags_e;
unsigned HUF_minTableLog(unsigned symbolCardinality);
unsigned HUF_cardinality(const unsigned* count, unsigned maxSymbolValue);
unsigned HUF_optimalTableLog(unsigned maxTableLog, size_t srcSize, unsigned maxSymbolValue, void* workSpace,
 size_t wkspSize, HUF_CElt* table, const unsigned* count, int flags);
size_t HUF_writeCTable_wksp(void* dst, size_t maxDstSize, const HUF_CElt* CTable, unsigned maxSymbolValue, unsigned huffLog, void* workspace, size_t workspaceSize);
size_t HUF_compress4X_usingCTable(void* dst, size_t dstSize, const void* src, size_t srcSize, const HUF_CElt* CTable, int flags);
size_t HUF_estimateCompressedSize(const HUF_CElt* CTable, const unsigned* count, unsigned maxSymbolValue);
int HUF_validateCTable(const HUF_CElt* CTable, const unsigned* count, unsigned maxSymbolValue);
typedef enum {
   HUF_repeat_none,
   HUF_repeat_check,
   HUF_repeat_valid
 } HUF_repeat;
size_t HUF_compress4X_repeat(void* dst, size_t dstSize,
                       const void* src, size_t srcSize,
                       unsigned maxSymbolValue, unsigned tableLog,
                       void* workSpace, size_t wkspSize,
                       HUF_CElt* hufTable, HUF_repeat* repeat, int flags);
size_t HUF_buildCTable_wksp (HUF_CElt* tree,
                       const unsigned* count, U32 maxSymbolValue, U32 maxNbBits,
                             void* workSpace, size_t wkspSize);
size_t HUF_readStats(BYTE* huffWeight, size_t hwSize,
                     U32* rankStats, U32* nbSymbolsPtr, U32* tableLogPtr,
                     const void* src, size_t srcSize);
size_t HUF_readStats_wksp(BYTE* huffWeight, size_t hwSize,
                          U32* rankStats, U32* nbSymbolsPtr, U32* tableLogPtr,
                          const void* src, size_t srcSize,
                          void* workspace, size_t wkspSize,
                          int flags);
size_t HUF_readCTable (HUF_CElt* CTable, unsigned* maxSymbolValuePtr, const void* src, size_t srcSize, unsigned *hasZeroWeights);
U32 HUF_getNbBitsFromCTable(const HUF_CElt* symbolTable, U32 symbolValue);
typedef struct {
    BYTE tableLog;
    BYTE maxSymbolValue;
    BYTE unused[sizeof(size_t) - 2];
} HUF_CTableHeader;
HUF_CTableHeader HUF_readCTableHeader(HUF_CElt const* ctable);
U32 HUF_selectDecoder (size_t dstSize, size_t cSrcSize);
size_t HUF_compress1X_usingCTable(void* dst, size_t dstSize, const void* src, size_t srcSize, const HUF_CElt* CTable, int flags);
size_t HUF_compress1X_repeat(void* dst, size_t dstSize,
                       const void* src, size_t srcSize,
                       unsigned maxSymbolValue, unsigned tableLog,
                       void* workSpace, size_t wkspSize,
                       HUF_CElt* hufTable, HUF_repeat* repeat, int flags);
size_t HUF_decompress1X_DCtx_wksp(HUF_DTable* dctx, void* dst, size_t dstSize, const void* cSrc, size_t cSrcSize, void* workSpace, size_t wkspSize, int flags);
size_t HUF_decompress1X2_DCtx_wksp(HUF_DTable* dctx, void* dst, size_t dstSize, const void* cSrc, size_t cSrcSize, void* workSpace, size_t wkspSize, int flags);
size_t HUF_decompress1X_usingDTable(void* dst, size_t maxDstSize, const void* cSrc, size_t cSrcSize, const HUF_DTable* DTable, int flags);
size_t HUF_decompress1X1_DCtx_wksp(HUF_DTable* dctx, void* dst, size_t dstSize, const void* cSrc, size_t cSrcSize, void* workSpace, size_t wkspSize, int flags);
size_t HUF_decompress4X_usingDTable(void* dst, size_t maxDstSize, const void* cSrc, size_t cSrcSize, const HUF_DTable* DTable, int flags);
size_t HUF_decompress4X_hufOnly_wksp(HUF_DTable* dctx, void* dst, size_t dstSize, const void* cSrc, size_t cSrcSize, void* workSpace, size_t wkspSize, int flags);
size_t HUF_readDTableX1_wksp(HUF_DTable* DTable, const void* src, size_t srcSize, void* workSpace, size_t wkspSize, int flags);
size_t HUF_readDTableX2_wksp(HUF_DTable* DTable, const void* src, size_t srcSize, void* workSpace, size_t wkspSize, int flags);
 __attribute__((const)) unsigned ZSTD_XXH_versionNumber (void);
typedef enum {
    XXH_OK = 0,
    XXH_ERROR
} XXH_errorcode;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;

    typedef uint32_t XXH32_hash_t;
               __attribute__((pure)) XXH32_hash_t ZSTD_XXH32 (const void* input, size_t length, XXH32_hash_t seed);
typedef struct XXH32_state_s XXH32_state_t;
               __attribute__((malloc)) XXH32_state_t* ZSTD_XXH32_createState(void);
               XXH_errorcode ZSTD_XXH32_freeState(XXH32_state_t* statePtr);
               void ZSTD_XXH32_copyState(XXH32_state_t* dst_state, const XXH32_state_t* src_state);
               XXH_errorcode ZSTD_XXH32_reset (XXH32_state_t* statePtr, XXH32_hash_t seed);
               XXH_errorcode ZSTD_XXH32_update (XXH32_state_t* statePtr, const void* input, size_t length);
               __attribute__((pure)) XXH32_hash_t ZSTD_XXH32_digest (const XXH32_state_t* statePtr);
typedef struct {
    unsigned char digest[4];
} XXH32_canonical_t;
               void ZSTD_XXH32_canonicalFromHash(XXH32_canonical_t* dst, XXH32_hash_t hash);
               __attribute__((pure)) XXH32_hash_t ZSTD_XXH32_hashFromCanonical(const XXH32_canonical_t* src);
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;

   typedef uint64_t XXH64_hash_t;
               __attribute__((pure)) XXH64_hash_t ZSTD_XXH64(__attribute__((noescape)) const void* input, size_t length, XXH64_hash_t seed);
typedef struct XXH64_state_s XXH64_state_t;
               __attribute__((malloc)) XXH64_state_t* ZSTD_XXH64_createState(void);
               XXH_errorcode ZSTD_XXH64_freeState(XXH64_state_t* statePtr);
               void ZSTD_XXH64_copyState(__attribute__((noescape)) XXH64_state_t* dst_state, const XXH64_state_t* src_state);
               XXH_errorcode ZSTD_XXH64_reset (__attribute__((noescape)) XXH64_state_t* statePtr, XXH64_hash_t seed);
               XXH_errorcode ZSTD_XXH64_update (__attribute__((noescape)) XXH64_state_t* statePtr, __attribute__((noescape)) const void* input, size_t length);
               __attribute__((pure)) XXH64_hash_t ZSTD_XXH64_digest (__attribute__((noescape)) const XXH64_state_t* statePtr);
typedef struct { unsigned char digest[sizeof(XXH64_hash_t)]; } XXH64_canonical_t;
               void ZSTD_XXH64_canonicalFromHash(__attribute__((noescape)) XXH64_canonical_t* dst, XXH64_hash_t hash);
               __attribute__((pure)) XXH64_hash_t ZSTD_XXH64_hashFromCanonical(__attribute__((noescape)) const XXH64_canonical_t* src);
struct XXH32_state_s {
   XXH32_hash_t total_len_32;
   XXH32_hash_t large_len;
   XXH32_hash_t v[4];
   XXH32_hash_t mem32[4];
   XXH32_hash_t memsize;
   XXH32_hash_t reserved;
};
struct XXH64_state_s {
   XXH64_hash_t total_len;
   XXH64_hash_t v[4];
   XXH64_hash_t mem64[4];
   XXH32_hash_t memsize;
   XXH32_hash_t reserved32;
   XXH64_hash_t reserved64;
};

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;
struct ZSTD_CCtx_params_s;
typedef struct {
    unsigned version;
    int streaming;
    unsigned dictionaryID;
    int dictionaryIsCold;
    size_t dictionarySize;
    size_t uncompressedSize;
    size_t compressedSize;
    struct ZSTD_CCtx_params_s const* params;
    struct ZSTD_CCtx_s const* cctx;
    struct ZSTD_DCtx_s const* dctx;
} ZSTD_Trace;
typedef unsigned long long ZSTD_TraceCtx;
__attribute__((__weak__)) ZSTD_TraceCtx ZSTD_trace_compress_begin(
    struct ZSTD_CCtx_s const* cctx);
__attribute__((__weak__)) void ZSTD_trace_compress_end(
    ZSTD_TraceCtx ctx,
    ZSTD_Trace const* trace);
__attribute__((__weak__)) ZSTD_TraceCtx ZSTD_trace_decompress_begin(
    struct ZSTD_DCtx_s const* dctx);
__attribute__((__weak__)) void ZSTD_trace_decompress_end(
    ZSTD_TraceCtx ctx,
    ZSTD_Trace const* trace);
static __attribute__((unused)) const U32 repStartValue[3] = { 1, 4, 8 };
static __attribute__((unused)) const size_t ZSTD_fcs_fieldSize[4] = { 0, 2, 4, 8 };
static __attribute__((unused)) const size_t ZSTD_did_fieldSize[4] = { 0, 1, 2, 4 };
static __attribute__((unused)) const size_t ZSTD_blockHeaderSize = 3;
typedef enum { bt_raw, bt_rle, bt_compressed, bt_reserved } blockType_e;
typedef enum { set_basic, set_rle, set_compressed, set_repeat } SymbolEncodingType_e;
static __attribute__((unused)) const U8 LL_bits[35 +1] = {
     0, 0, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     1, 1, 1, 1, 2, 2, 3, 3,
     4, 6, 7, 8, 9,10,11,12,
    13,14,15,16
};
static __attribute__((unused)) const S16 LL_defaultNorm[35 +1] = {
     4, 3, 2, 2, 2, 2, 2, 2,
     2, 2, 2, 2, 2, 1, 1, 1,
     2, 2, 2, 2, 2, 2, 2, 2,
     2, 3, 2, 1, 1, 1, 1, 1,
    -1,-1,-1,-1
};
static __attribute__((unused)) const U32 LL_defaultNormLog = 6;
static __attribute__((unused)) const U8 ML_bits[52 +1] = {
     0, 0, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0,
     1, 1, 1, 1, 2, 2, 3, 3,
     4, 4, 5, 7, 8, 9,10,11,
    12,13,14,15,16
};
static __attribute__((unused)) const S16 ML_defaultNorm[52 +1] = {
     1, 4, 3, 2, 2, 2, 2, 2,
     2, 1, 1, 1, 1, 1, 1, 1,
     1, 1, 1, 1, 1, 1, 1, 1,
     1, 1, 1, 1, 1, 1, 1, 1,
     1, 1, 1, 1, 1, 1, 1, 1,
     1, 1, 1, 1, 1, 1,-1,-1,
    -1,-1,-1,-1,-1
};
static __attribute__((unused)) const U32 ML_defaultNormLog = 6;
static __attribute__((unused)) const S16 OF_defaultNorm[28 +1] = {
     1, 1, 1, 1, 1, 1, 2, 2,
     2, 1, 1, 1, 1, 1, 1, 1,
     1, 1, 1, 1, 1, 1, 1, 1,
    -1,-1,-1,-1,-1
};
static __attribute__((unused)) const U32 OF_defaultNormLog = 5;
static void ZSTD_copy8(void* dst, const void* src) {
    __builtin_memcpy((dst),(src),(8));
}
static void ZSTD_copy16(void* dst, const void* src) {
    __builtin_memmove((dst),(src),(16));
}
typedef enum {
    ZSTD_no_overlap,
    ZSTD_overlap_src_before_dst
} ZSTD_overlap_e;
static __inline __attribute__((unused)) __attribute__((always_inline))
void ZSTD_wildcopy(void* dst, const void* src, ptrdiff_t length, ZSTD_overlap_e const ovtype)
{
    ptrdiff_t diff = (BYTE*)dst - (const BYTE*)src;
    const BYTE* ip = (const BYTE*)src;
    BYTE* op = (BYTE*)dst;
    BYTE* const oend = op + length;
    if (ovtype == ZSTD_overlap_src_before_dst && diff < 16) {
        do {
            do { ZSTD_copy8(op,ip); op+=8; ip+=8; } while (0);
        } while (op < oend);
    } else {
        ((void)0);
        ZSTD_copy16(op, ip);
        if (16 >= length) return;
        op += 16;
        ip += 16;
        do {
            do { ZSTD_copy16(op,ip); op+=16; ip+=16; } while (0);
            do { ZSTD_copy16(op,ip); op+=16; ip+=16; } while (0);
        }
        while (op < oend);
    }
}
static __inline __attribute__((unused)) size_t ZSTD_limitCopy(void* dst, size_t dstCapacity, const void* src, size_t srcSize)
{
    size_t const length = ((dstCapacity)<(srcSize) ? (dstCapacity) : (srcSize));
    if (length > 0) {
        __builtin_memcpy((dst),(src),(length));
    }
    return length;
}
typedef enum {
    ZSTD_bm_buffered = 0,
    ZSTD_bm_stable = 1
} ZSTD_bufferMode_e;
typedef struct {
    size_t nbBlocks;
    size_t compressedSize;
    unsigned long long decompressedBound;
} ZSTD_frameSizeInfo;
void ZSTD_invalidateRepCodes(ZSTD_CCtx* cctx);
typedef struct {
    blockType_e blockType;
    U32 lastBlock;
    U32 origSize;
} blockProperties_t;
size_t ZSTD_getcBlockSize(const void* src, size_t srcSize,
                          blockProperties_t* bpPtr);
size_t ZSTD_decodeSeqHeaders(ZSTD_DCtx* dctx, int* nbSeqPtr,
                       const void* src, size_t srcSize);
static __inline __attribute__((unused)) int ZSTD_cpuSupportsBmi2(void)
{
    ZSTD_cpuid_t cpuid = ZSTD_cpuid();
    return ZSTD_cpuid_bmi1(cpuid) && ZSTD_cpuid_bmi2(cpuid);
}

void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
static __inline __attribute__((unused)) void* ZSTD_customMalloc(size_t size, ZSTD_customMem customMem)
{
    if (customMem.customAlloc)
        return customMem.customAlloc(customMem.opaque, size);
    return malloc(size);
}
static __inline __attribute__((unused)) void* ZSTD_customCalloc(size_t size, ZSTD_customMem customMem)
{
    if (customMem.customAlloc) {
        void* const ptr = customMem.customAlloc(customMem.opaque, size);
        __builtin_memset((ptr),(0),(size));
        return ptr;
    }
    return calloc((1), (size));
}
static __inline __attribute__((unused)) void ZSTD_customFree(void* ptr, ZSTD_customMem customMem)
{
    if (ptr!=((void*)0)) {
        if (customMem.customFree)
            customMem.customFree(customMem.opaque, ptr);
        else
            free((ptr));
    }
}
typedef enum {
    ZSTD_cwksp_alloc_objects,
    ZSTD_cwksp_alloc_aligned_init_once,
    ZSTD_cwksp_alloc_aligned,
    ZSTD_cwksp_alloc_buffers
} ZSTD_cwksp_alloc_phase_e;
typedef enum {
    ZSTD_cwksp_dynamic_alloc,
    ZSTD_cwksp_static_alloc
} ZSTD_cwksp_static_alloc_e;
typedef struct {
    void* workspace;
    void* workspaceEnd;
    void* objectEnd;
    void* tableEnd;
    void* tableValidEnd;
    void* allocStart;
    void* initOnceStart;
    BYTE allocFailed;
    int workspaceOversizedDuration;
    ZSTD_cwksp_alloc_phase_e phase;
    ZSTD_cwksp_static_alloc_e isStatic;
} ZSTD_cwksp;
static __inline __attribute__((unused)) size_t ZSTD_cwksp_available_space(ZSTD_cwksp* ws);
static __inline __attribute__((unused)) void* ZSTD_cwksp_initialAllocStart(ZSTD_cwksp* ws);
static __inline __attribute__((unused)) void ZSTD_cwksp_assert_internal_consistency(ZSTD_cwksp* ws) {
    (void)ws;
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_align(size_t size, size_t align) {
    size_t const mask = align - 1;
    ((void)0);
    return (size + mask) & ~mask;
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_alloc_size(size_t size) {
    if (size == 0)
        return 0;
    return size;
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_aligned_alloc_size(size_t size, size_t alignment) {
    return ZSTD_cwksp_alloc_size(ZSTD_cwksp_align(size, alignment));
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_aligned64_alloc_size(size_t size) {
    return ZSTD_cwksp_aligned_alloc_size(size, 64);
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_slack_space_required(void) {
    size_t const slackSpace = 64 * 2;
    return slackSpace;
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_bytes_to_align_ptr(void* ptr, const size_t alignBytes) {
    size_t const alignBytesMask = alignBytes - 1;
    size_t const bytes = (alignBytes - ((size_t)ptr & (alignBytesMask))) & alignBytesMask;
    ((void)0);
    ((void)0);
    return bytes;
}
static __inline __attribute__((unused)) void* ZSTD_cwksp_initialAllocStart(ZSTD_cwksp* ws)
{
    char* endPtr = (char*)ws->workspaceEnd;
    ((void)0);
    endPtr = endPtr - ((size_t)endPtr % 64);
    return (void*)endPtr;
}
static __inline __attribute__((unused)) void*
ZSTD_cwksp_reserve_internal_buffer_space(ZSTD_cwksp* ws, size_t const bytes)
{
    void* const alloc = (BYTE*)ws->allocStart - bytes;
    void* const bottom = ws->tableEnd;
    do { } while (0);
    ZSTD_cwksp_assert_internal_consistency(ws);
    ((void)0);
    if (alloc < bottom) {
        do { } while (0);
        ws->allocFailed = 1;
        return ((void*)0);
    }
    if (alloc < ws->tableValidEnd) {
        ws->tableValidEnd = alloc;
    }
    ws->allocStart = alloc;
    return alloc;
}
static __inline __attribute__((unused)) size_t
ZSTD_cwksp_internal_advance_phase(ZSTD_cwksp* ws, ZSTD_cwksp_alloc_phase_e phase)
{
    ((void)0);
    if (phase > ws->phase) {
        if (ws->phase < ZSTD_cwksp_alloc_aligned_init_once &&
            phase >= ZSTD_cwksp_alloc_aligned_init_once) {
            ws->tableValidEnd = ws->objectEnd;
            ws->initOnceStart = ZSTD_cwksp_initialAllocStart(ws);
            {
                void *const alloc = ws->objectEnd;
                size_t const bytesToAlign = ZSTD_cwksp_bytes_to_align_ptr(alloc, 64);
                void *const objectEnd = (BYTE *) alloc + bytesToAlign;
                do { } while (0);
                do { if (objectEnd > ws->workspaceEnd) { do { } while (0); do { if (0) { _force_has_format_string("table phase - alignment initial allocation failed!"); } } while (0); do { } while (0); do { } while (0); return ((size_t)-ZSTD_error_memory_allocation); } } while (0);
                ws->objectEnd = objectEnd;
                ws->tableEnd = objectEnd;
                if (ws->tableValidEnd < ws->tableEnd) {
                    ws->tableValidEnd = ws->tableEnd;
                }
            }
        }
        ws->phase = phase;
        ZSTD_cwksp_assert_internal_consistency(ws);
    }
    return 0;
}
static __inline __attribute__((unused)) int ZSTD_cwksp_owns_buffer(const ZSTD_cwksp* ws, const void* ptr)
{
    return (ptr != ((void*)0)) && (ws->workspace <= ptr) && (ptr < ws->workspaceEnd);
}
static __inline __attribute__((unused)) void*
ZSTD_cwksp_reserve_internal(ZSTD_cwksp* ws, size_t bytes, ZSTD_cwksp_alloc_phase_e phase)
{
    void* alloc;
    if (ERR_isError(ZSTD_cwksp_internal_advance_phase(ws, phase)) || bytes == 0) {
        return ((void*)0);
    }
    alloc = ZSTD_cwksp_reserve_internal_buffer_space(ws, bytes);
    return alloc;
}
static __inline __attribute__((unused)) BYTE* ZSTD_cwksp_reserve_buffer(ZSTD_cwksp* ws, size_t bytes)
{
    return (BYTE*)ZSTD_cwksp_reserve_internal(ws, bytes, ZSTD_cwksp_alloc_buffers);
}
static __inline __attribute__((unused)) void* ZSTD_cwksp_reserve_aligned_init_once(ZSTD_cwksp* ws, size_t bytes)
{
    size_t const alignedBytes = ZSTD_cwksp_align(bytes, 64);
    void* ptr = ZSTD_cwksp_reserve_internal(ws, alignedBytes, ZSTD_cwksp_alloc_aligned_init_once);
    ((void)0);
    if(ptr && ptr < ws->initOnceStart) {
        __builtin_memset((ptr),(0),((((size_t)((U8*)ws->initOnceStart - (U8*)ptr))<(alignedBytes) ? ((size_t)((U8*)ws->initOnceStart - (U8*)ptr)) : (alignedBytes))));
        ws->initOnceStart = ptr;
    }
    return ptr;
}
static __inline __attribute__((unused)) void* ZSTD_cwksp_reserve_aligned64(ZSTD_cwksp* ws, size_t bytes)
{
    void* const ptr = ZSTD_cwksp_reserve_internal(ws,
                        ZSTD_cwksp_align(bytes, 64),
                        ZSTD_cwksp_alloc_aligned);
    ((void)0);
    return ptr;
}
static __inline __attribute__((unused)) void* ZSTD_cwksp_reserve_table(ZSTD_cwksp* ws, size_t bytes)
{
    const ZSTD_cwksp_alloc_phase_e phase = ZSTD_cwksp_alloc_aligned_init_once;
    void* alloc;
    void* end;
    void* top;
    if(ws->phase < phase) {
        if (ERR_isError(ZSTD_cwksp_internal_advance_phase(ws, phase))) {
            return ((void*)0);
        }
    }
    alloc = ws->tableEnd;
    end = (BYTE *)alloc + bytes;
    top = ws->allocStart;
    do { } while (0);
    ((void)0);
    ZSTD_cwksp_assert_internal_consistency(ws);
    ((void)0);
    if (end > top) {
        do { } while (0);
        ws->allocFailed = 1;
        return ((void*)0);
    }
    ws->tableEnd = end;
    ((void)0);
    ((void)0);
    return alloc;
}
static __inline __attribute__((unused)) void* ZSTD_cwksp_reserve_object(ZSTD_cwksp* ws, size_t bytes)
{
    size_t const roundedBytes = ZSTD_cwksp_align(bytes, sizeof(void*));
    void* alloc = ws->objectEnd;
    void* end = (BYTE*)alloc + roundedBytes;
    do { } while (0);
    ((void)0);
    ((void)0);
    ZSTD_cwksp_assert_internal_consistency(ws);
    if (ws->phase != ZSTD_cwksp_alloc_objects || end > ws->workspaceEnd) {
        do { } while (0);
        ws->allocFailed = 1;
        return ((void*)0);
    }
    ws->objectEnd = end;
    ws->tableEnd = end;
    ws->tableValidEnd = end;
    return alloc;
}
static __inline __attribute__((unused)) void* ZSTD_cwksp_reserve_object_aligned(ZSTD_cwksp* ws, size_t byteSize, size_t alignment)
{
    size_t const mask = alignment - 1;
    size_t const surplus = (alignment > sizeof(void*)) ? alignment - sizeof(void*) : 0;
    void* const start = ZSTD_cwksp_reserve_object(ws, byteSize + surplus);
    if (start == ((void*)0)) return ((void*)0);
    if (surplus == 0) return start;
    ((void)0);
    return (void*)(((size_t)start + surplus) & ~mask);
}
static __inline __attribute__((unused)) void ZSTD_cwksp_mark_tables_dirty(ZSTD_cwksp* ws)
{
    do { } while (0);
    ((void)0);
    ((void)0);
    ws->tableValidEnd = ws->objectEnd;
    ZSTD_cwksp_assert_internal_consistency(ws);
}
static __inline __attribute__((unused)) void ZSTD_cwksp_mark_tables_clean(ZSTD_cwksp* ws) {
    do { } while (0);
    ((void)0);
    ((void)0);
    if (ws->tableValidEnd < ws->tableEnd) {
        ws->tableValidEnd = ws->tableEnd;
    }
    ZSTD_cwksp_assert_internal_consistency(ws);
}
static __inline __attribute__((unused)) void ZSTD_cwksp_clean_tables(ZSTD_cwksp* ws) {
    do { } while (0);
    ((void)0);
    ((void)0);
    if (ws->tableValidEnd < ws->tableEnd) {
        __builtin_memset((ws->tableValidEnd),(0),((size_t)((BYTE*)ws->tableEnd - (BYTE*)ws->tableValidEnd)));
    }
    ZSTD_cwksp_mark_tables_clean(ws);
}
static __inline __attribute__((unused)) void ZSTD_cwksp_clear_tables(ZSTD_cwksp* ws)
{
    do { } while (0);
    ws->tableEnd = ws->objectEnd;
    ZSTD_cwksp_assert_internal_consistency(ws);
}
static __inline __attribute__((unused)) void ZSTD_cwksp_clear(ZSTD_cwksp* ws) {
    do { } while (0);
    ws->tableEnd = ws->objectEnd;
    ws->allocStart = ZSTD_cwksp_initialAllocStart(ws);
    ws->allocFailed = 0;
    if (ws->phase > ZSTD_cwksp_alloc_aligned_init_once) {
        ws->phase = ZSTD_cwksp_alloc_aligned_init_once;
    }
    ZSTD_cwksp_assert_internal_consistency(ws);
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_sizeof(const ZSTD_cwksp* ws) {
    return (size_t)((BYTE*)ws->workspaceEnd - (BYTE*)ws->workspace);
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_used(const ZSTD_cwksp* ws) {
    return (size_t)((BYTE*)ws->tableEnd - (BYTE*)ws->workspace)
         + (size_t)((BYTE*)ws->workspaceEnd - (BYTE*)ws->allocStart);
}
static __inline __attribute__((unused)) void ZSTD_cwksp_init(ZSTD_cwksp* ws, void* start, size_t size, ZSTD_cwksp_static_alloc_e isStatic) {
    do { } while (0);
    ((void)0);
    ws->workspace = start;
    ws->workspaceEnd = (BYTE*)start + size;
    ws->objectEnd = ws->workspace;
    ws->tableValidEnd = ws->objectEnd;
    ws->initOnceStart = ZSTD_cwksp_initialAllocStart(ws);
    ws->phase = ZSTD_cwksp_alloc_objects;
    ws->isStatic = isStatic;
    ZSTD_cwksp_clear(ws);
    ws->workspaceOversizedDuration = 0;
    ZSTD_cwksp_assert_internal_consistency(ws);
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_create(ZSTD_cwksp* ws, size_t size, ZSTD_customMem customMem) {
    void* workspace = ZSTD_customMalloc(size, customMem);
    do { } while (0);
    do { if (workspace == ((void*)0)) { do { } while (0); do { if (0) { _force_has_format_string("NULL pointer!"); } } while (0); do { } while (0); do { } while (0); return ((size_t)-ZSTD_error_memory_allocation); } } while (0);
    ZSTD_cwksp_init(ws, workspace, size, ZSTD_cwksp_dynamic_alloc);
    return 0;
}
static __inline __attribute__((unused)) void ZSTD_cwksp_free(ZSTD_cwksp* ws, ZSTD_customMem customMem) {
    void *ptr = ws->workspace;
    do { } while (0);
    __builtin_memset((ws),(0),(sizeof(ZSTD_cwksp)));
    ZSTD_customFree(ptr, customMem);
}
static __inline __attribute__((unused)) void ZSTD_cwksp_move(ZSTD_cwksp* dst, ZSTD_cwksp* src) {
    *dst = *src;
    __builtin_memset((src),(0),(sizeof(ZSTD_cwksp)));
}
static __inline __attribute__((unused)) int ZSTD_cwksp_reserve_failed(const ZSTD_cwksp* ws) {
    return ws->allocFailed;
}
static __inline __attribute__((unused)) int ZSTD_cwksp_estimated_space_within_bounds(const ZSTD_cwksp *const ws, size_t const estimatedSpace) {
    return (estimatedSpace - ZSTD_cwksp_slack_space_required()) <= ZSTD_cwksp_used(ws) &&
           ZSTD_cwksp_used(ws) <= estimatedSpace;
}
static __inline __attribute__((unused)) size_t ZSTD_cwksp_available_space(ZSTD_cwksp* ws) {
    return (size_t)((BYTE*)ws->allocStart - (BYTE*)ws->tableEnd);
}
static __inline __attribute__((unused)) int ZSTD_cwksp_check_available(ZSTD_cwksp* ws, size_t additionalNeededSpace) {
    return ZSTD_cwksp_available_space(ws) >= additionalNeededSpace;
}
static __inline __attribute__((unused)) int ZSTD_cwksp_check_too_large(ZSTD_cwksp* ws, size_t additionalNeededSpace) {
    return ZSTD_cwksp_check_available(
        ws, additionalNeededSpace * 3);
}
static __inline __attribute__((unused)) int ZSTD_cwksp_check_wasteful(ZSTD_cwksp* ws, size_t additionalNeededSpace) {
    return ZSTD_cwksp_check_too_large(ws, additionalNeededSpace)
        && ws->workspaceOversizedDuration > 128;
}
static __inline __attribute__((unused)) void ZSTD_cwksp_bump_oversized_duration(
        ZSTD_cwksp* ws, size_t additionalNeededSpace) {
    if (ZSTD_cwksp_check_too_large(ws, additionalNeededSpace)) {
        ws->workspaceOversizedDuration++;
    } else {
        ws->workspaceOversizedDuration = 0;
    }
}
size_t ZSTD_splitBlock(const void* blockStart, size_t blockSize,
                    int level,
                    void* workspace, size_t wkspSize);
typedef enum { ZSTDcs_created=0, ZSTDcs_init, ZSTDcs_ongoing, ZSTDcs_ending } ZSTD_compressionStage_e;
typedef enum { zcss_init=0, zcss_load, zcss_flush } ZSTD_cStreamStage;
typedef struct ZSTD_prefixDict_s {
    const void* dict;
    size_t dictSize;
    ZSTD_dictContentType_e dictContentType;
} ZSTD_prefixDict;
typedef struct {
    void* dictBuffer;
    void const* dict;
    size_t dictSize;
    ZSTD_dictContentType_e dictContentType;
    ZSTD_CDict* cdict;
} ZSTD_localDict;
typedef struct {
    HUF_CElt CTable[((255)+2)];
    HUF_repeat repeatMode;
} ZSTD_hufCTables_t;
typedef struct {
    FSE_CTable offcodeCTable[(1 + (1<<((8)-1)) + (((31)+1)*2))];
    FSE_CTable matchlengthCTable[(1 + (1<<((9)-1)) + (((52)+1)*2))];
    FSE_CTable litlengthCTable[(1 + (1<<((9)-1)) + (((35)+1)*2))];
    FSE_repeat offcode_repeatMode;
    FSE_repeat matchlength_repeatMode;
    FSE_repeat litlength_repeatMode;
} ZSTD_fseCTables_t;
typedef struct {
    ZSTD_hufCTables_t huf;
    ZSTD_fseCTables_t fse;
} ZSTD_entropyCTables_t;
typedef struct SeqDef_s {
    U32 offBase;
    U16 litLength;
    U16 mlBase;
} SeqDef;
typedef enum {
    ZSTD_llt_none = 0,
    ZSTD_llt_literalLength = 1,
    ZSTD_llt_matchLength = 2
} ZSTD_longLengthType_e;
typedef struct {
    SeqDef* sequencesStart;
    SeqDef* sequences;
    BYTE* litStart;
    BYTE* lit;
    BYTE* llCode;
    BYTE* mlCode;
    BYTE* ofCode;
    size_t maxNbSeq;
    size_t maxNbLit;
    ZSTD_longLengthType_e longLengthType;
    U32 longLengthPos;
} SeqStore_t;
typedef struct {
    U32 litLength;
    U32 matchLength;
} ZSTD_SequenceLength;
static __inline __attribute__((unused)) ZSTD_SequenceLength ZSTD_getSequenceLength(SeqStore_t const* seqStore, SeqDef const* seq)
{
    ZSTD_SequenceLength seqLen;
    seqLen.litLength = seq->litLength;
    seqLen.matchLength = seq->mlBase + 3;
    if (seqStore->longLengthPos == (U32)(seq - seqStore->sequencesStart)) {
        if (seqStore->longLengthType == ZSTD_llt_literalLength) {
            seqLen.litLength += 0x10000;
        }
        if (seqStore->longLengthType == ZSTD_llt_matchLength) {
            seqLen.matchLength += 0x10000;
        }
    }
    return seqLen;
}
const SeqStore_t* ZSTD_getSeqStore(const ZSTD_CCtx* ctx);
int ZSTD_seqToCodes(const SeqStore_t* seqStorePtr);
typedef struct {
    SymbolEncodingType_e hType;
    BYTE hufDesBuffer[128];
    size_t hufDesSize;
} ZSTD_hufCTablesMetadata_t;
typedef struct {
    SymbolEncodingType_e llType;
    SymbolEncodingType_e ofType;
    SymbolEncodingType_e mlType;
    BYTE fseTablesBuffer[(((52 + 1) * 9 + (35 + 1) * 9 + (31 + 1) * 8 + 7) / 8)];
    size_t fseTablesSize;
    size_t lastCountSize;
} ZSTD_fseCTablesMetadata_t;
typedef struct {
    ZSTD_hufCTablesMetadata_t hufMetadata;
    ZSTD_fseCTablesMetadata_t fseMetadata;
} ZSTD_entropyCTablesMetadata_t;
size_t ZSTD_buildBlockEntropyStats(
                    const SeqStore_t* seqStorePtr,
                    const ZSTD_entropyCTables_t* prevEntropy,
                          ZSTD_entropyCTables_t* nextEntropy,
                    const ZSTD_CCtx_params* cctxParams,
                          ZSTD_entropyCTablesMetadata_t* entropyMetadata,
                          void* workspace, size_t wkspSize);
typedef struct {
    U32 off;
    U32 len;
} ZSTD_match_t;
typedef struct {
    U32 offset;
    U32 litLength;
    U32 matchLength;
} rawSeq;
typedef struct {
  rawSeq* seq;
  size_t pos;
  size_t posInSequence;
  size_t size;
  size_t capacity;
} RawSeqStore_t;
__attribute__((unused)) static const RawSeqStore_t kNullRawSeqStore = {((void*)0), 0, 0, 0, 0};
typedef struct {
    int price;
    U32 off;
    U32 mlen;
    U32 litlen;
    U32 rep[3];
} ZSTD_optimal_t;
typedef enum { zop_dynamic=0, zop_predef } ZSTD_OptPrice_e;
typedef struct {
    unsigned* litFreq;
    unsigned* litLengthFreq;
    unsigned* matchLengthFreq;
    unsigned* offCodeFreq;
    ZSTD_match_t* matchTable;
    ZSTD_optimal_t* priceTable;
    U32 litSum;
    U32 litLengthSum;
    U32 matchLengthSum;
    U32 offCodeSum;
    U32 litSumBasePrice;
    U32 litLengthSumBasePrice;
    U32 matchLengthSumBasePrice;
    U32 offCodeSumBasePrice;
    ZSTD_OptPrice_e priceType;
    const ZSTD_entropyCTables_t* symbolCosts;
    ZSTD_ParamSwitch_e literalCompressionMode;
} optState_t;
typedef struct {
  ZSTD_entropyCTables_t entropy;
  U32 rep[3];
} ZSTD_compressedBlockState_t;
typedef struct {
    BYTE const* nextSrc;
    BYTE const* base;
    BYTE const* dictBase;
    U32 dictLimit;
    U32 lowLimit;
    U32 nbOverflowCorrections;
} ZSTD_window_t;
typedef struct ZSTD_MatchState_t ZSTD_MatchState_t;
struct ZSTD_MatchState_t {
    ZSTD_window_t window;
    U32 loadedDictEnd;
    U32 nextToUpdate;
    U32 hashLog3;
    U32 rowHashLog;
    BYTE* tagTable;
    U32 hashCache[8];
    U64 hashSalt;
    U32 hashSaltEntropy;
    U32* hashTable;
    U32* hashTable3;
    U32* chainTable;
    int forceNonContiguous;
    int dedicatedDictSearch;
    optState_t opt;
    const ZSTD_MatchState_t* dictMatchState;
    ZSTD_compressionParameters cParams;
    const RawSeqStore_t* ldmSeqStore;
    int prefetchCDictTables;
    int lazySkipping;
};
typedef struct {
    ZSTD_compressedBlockState_t* prevCBlock;
    ZSTD_compressedBlockState_t* nextCBlock;
    ZSTD_MatchState_t matchState;
} ZSTD_blockState_t;
typedef struct {
    U32 offset;
    U32 checksum;
} ldmEntry_t;
typedef struct {
    BYTE const* split;
    U32 hash;
    U32 checksum;
    ldmEntry_t* bucket;
} ldmMatchCandidate_t;
typedef struct {
    ZSTD_window_t window;
    ldmEntry_t* hashTable;
    U32 loadedDictEnd;
    BYTE* bucketOffsets;
    size_t splitIndices[64];
    ldmMatchCandidate_t matchCandidates[64];
} ldmState_t;
typedef struct {
    ZSTD_ParamSwitch_e enableLdm;
    U32 hashLog;
    U32 bucketSizeLog;
    U32 minMatchLength;
    U32 hashRateLog;
    U32 windowLog;
} ldmParams_t;
typedef struct {
    int collectSequences;
    ZSTD_Sequence* seqStart;
    size_t seqIndex;
    size_t maxSequences;
} SeqCollector;
struct ZSTD_CCtx_params_s {
    ZSTD_format_e format;
    ZSTD_compressionParameters cParams;
    ZSTD_frameParameters fParams;
    int compressionLevel;
    int forceWindow;
    size_t targetCBlockSize;
    int srcSizeHint;
    ZSTD_dictAttachPref_e attachDictPref;
    ZSTD_ParamSwitch_e literalCompressionMode;
    int nbWorkers;
    size_t jobSize;
    int overlapLog;
    int rsyncable;
    ldmParams_t ldmParams;
    int enableDedicatedDictSearch;
    ZSTD_bufferMode_e inBufferMode;
    ZSTD_bufferMode_e outBufferMode;
    ZSTD_SequenceFormat_e blockDelimiters;
    int validateSequences;
    ZSTD_ParamSwitch_e postBlockSplitter;
    int preBlockSplitter_level;
    size_t maxBlockSize;
    ZSTD_ParamSwitch_e useRowMatchFinder;
    int deterministicRefPrefix;
    ZSTD_customMem customMem;
    ZSTD_ParamSwitch_e prefetchCDictTables;
    int enableMatchFinderFallback;
    void* extSeqProdState;
    ZSTD_sequenceProducer_F extSeqProdFunc;
    ZSTD_ParamSwitch_e searchForExternalRepcodes;
};
typedef enum {
    ZSTDb_not_buffered,
    ZSTDb_buffered
} ZSTD_buffered_policy_e;
typedef struct {
    SeqStore_t fullSeqStoreChunk;
    SeqStore_t firstHalfSeqStore;
    SeqStore_t secondHalfSeqStore;
    SeqStore_t currSeqStore;
    SeqStore_t nextSeqStore;
    U32 partitions[196];
    ZSTD_entropyCTablesMetadata_t entropyMetadata;
} ZSTD_blockSplitCtx;
struct ZSTD_CCtx_s {
    ZSTD_compressionStage_e stage;
    int cParamsChanged;
    int bmi2;
    ZSTD_CCtx_params requestedParams;
    ZSTD_CCtx_params appliedParams;
    ZSTD_CCtx_params simpleApiParams;
    U32 dictID;
    size_t dictContentSize;
    ZSTD_cwksp workspace;
    size_t blockSizeMax;
    unsigned long long pledgedSrcSizePlusOne;
    unsigned long long consumedSrcSize;
    unsigned long long producedCSize;
    XXH64_state_t xxhState;
    ZSTD_customMem customMem;
    ZSTD_threadPool* pool;
    size_t staticSize;
    SeqCollector seqCollector;
    int isFirstBlock;
    int initialized;
    SeqStore_t seqStore;
    ldmState_t ldmState;
    rawSeq* ldmSequences;
    size_t maxNbLdmSequences;
    RawSeqStore_t externSeqStore;
    ZSTD_blockState_t blockState;
    void* tmpWorkspace;
    size_t tmpWkspSize;
    ZSTD_buffered_policy_e bufferedPolicy;
    char* inBuff;
    size_t inBuffSize;
    size_t inToCompress;
    size_t inBuffPos;
    size_t inBuffTarget;
    char* outBuff;
    size_t outBuffSize;
    size_t outBuffContentSize;
    size_t outBuffFlushedSize;
    ZSTD_cStreamStage streamStage;
    U32 frameEnded;
    ZSTD_inBuffer expectedInBuffer;
    size_t stableIn_notConsumed;
    size_t expectedOutBufferSize;
    ZSTD_localDict localDict;
    const ZSTD_CDict* cdict;
    ZSTD_prefixDict prefixDict;
    ZSTD_TraceCtx traceCtx;
    ZSTD_blockSplitCtx blockSplitCtx;
    ZSTD_Sequence* extSeqBuf;
    size_t extSeqBufCapacity;
};
typedef enum { ZSTD_dtlm_fast, ZSTD_dtlm_full } ZSTD_dictTableLoadMethod_e;
typedef enum { ZSTD_tfp_forCCtx, ZSTD_tfp_forCDict } ZSTD_tableFillPurpose_e;
typedef enum {
    ZSTD_noDict = 0,
    ZSTD_extDict = 1,
    ZSTD_dictMatchState = 2,
    ZSTD_dedicatedDictSearch = 3
} ZSTD_dictMode_e;
typedef enum {
    ZSTD_cpm_noAttachDict = 0,
    ZSTD_cpm_attachDict = 1,
    ZSTD_cpm_createCDict = 2,
    ZSTD_cpm_unknown = 3
} ZSTD_CParamMode_e;
typedef size_t (*ZSTD_BlockCompressor_f) (
        ZSTD_MatchState_t* bs, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
ZSTD_BlockCompressor_f ZSTD_selectBlockCompressor(ZSTD_strategy strat, ZSTD_ParamSwitch_e rowMatchfinderMode, ZSTD_dictMode_e dictMode);
static __inline __attribute__((unused)) U32 ZSTD_LLcode(U32 litLength)
{
    static const BYTE LL_Code[64] = { 0, 1, 2, 3, 4, 5, 6, 7,
                                       8, 9, 10, 11, 12, 13, 14, 15,
                                      16, 16, 17, 17, 18, 18, 19, 19,
                                      20, 20, 20, 20, 21, 21, 21, 21,
                                      22, 22, 22, 22, 22, 22, 22, 22,
                                      23, 23, 23, 23, 23, 23, 23, 23,
                                      24, 24, 24, 24, 24, 24, 24, 24,
                                      24, 24, 24, 24, 24, 24, 24, 24 };
    static const U32 LL_deltaCode = 19;
    return (litLength > 63) ? ZSTD_highbit32(litLength) + LL_deltaCode : LL_Code[litLength];
}
static __inline __attribute__((unused)) U32 ZSTD_MLcode(U32 mlBase)
{
    static const BYTE ML_Code[128] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                      32, 32, 33, 33, 34, 34, 35, 35, 36, 36, 36, 36, 37, 37, 37, 37,
                                      38, 38, 38, 38, 38, 38, 38, 38, 39, 39, 39, 39, 39, 39, 39, 39,
                                      40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40,
                                      41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 41,
                                      42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42,
                                      42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42 };
    static const U32 ML_deltaCode = 36;
    return (mlBase > 127) ? ZSTD_highbit32(mlBase) + ML_deltaCode : ML_Code[mlBase];
}
static __inline __attribute__((unused)) int ZSTD_cParam_withinBounds(ZSTD_cParameter cParam, int value)
{
    ZSTD_bounds const bounds = ZSTD_cParam_getBounds(cParam);
    if (ERR_isError(bounds.error)) return 0;
    if (value < bounds.lowerBound) return 0;
    if (value > bounds.upperBound) return 0;
    return 1;
}
static __inline __attribute__((unused)) const BYTE*
ZSTD_selectAddr(U32 index, U32 lowLimit, const BYTE* candidate, const BYTE* backup)
{
    __asm__ (
        "cmp %1, %2\n"
        "cmova %3, %0\n"
        : "+r"(candidate)
        : "r"(index), "r"(lowLimit), "r"(backup)
        );
    return candidate;
}
static __inline __attribute__((unused)) size_t
ZSTD_noCompressBlock(void* dst, size_t dstCapacity, const void* src, size_t srcSize, U32 lastBlock)
{
    U32 const cBlockHeader24 = lastBlock + (((U32)bt_raw)<<1) + (U32)(srcSize << 3);
    do { } while (0);
    do { if (srcSize + ZSTD_blockHeaderSize > dstCapacity) { do { } while (0); do { if (0) { _force_has_format_string("dst buf too small for uncompressed block"); } } while (0); do { } while (0); do { } while (0); return ((size_t)-ZSTD_error_dstSize_tooSmall); } } while (0);
    MEM_writeLE24(dst, cBlockHeader24);
    __builtin_memcpy(((BYTE*)dst + ZSTD_blockHeaderSize),(src),(srcSize));
    return ZSTD_blockHeaderSize + srcSize;
}
static __inline __attribute__((unused)) size_t
ZSTD_rleCompressBlock(void* dst, size_t dstCapacity, BYTE src, size_t srcSize, U32 lastBlock)
{
    BYTE* const op = (BYTE*)dst;
    U32 const cBlockHeader = lastBlock + (((U32)bt_rle)<<1) + (U32)(srcSize << 3);
    do { if (dstCapacity < 4) { do { } while (0); do { if (0) { _force_has_format_string(""); } } while (0); do { } while (0); do { } while (0); return ((size_t)-ZSTD_error_dstSize_tooSmall); } } while (0);
    MEM_writeLE24(op, cBlockHeader);
    op[3] = src;
    return 4;
}
static __inline __attribute__((unused)) size_t ZSTD_minGain(size_t srcSize, ZSTD_strategy strat)
{
    U32 const minlog = (strat>=ZSTD_btultra) ? (U32)(strat) - 1 : 6;
    (void)sizeof(char[(ZSTD_btultra == 8) ? 1 : -1]);
    ((void)0);
    return (srcSize >> minlog) + 2;
}
static __inline __attribute__((unused)) int ZSTD_literalsCompressionIsDisabled(const ZSTD_CCtx_params* cctxParams)
{
    switch (cctxParams->literalCompressionMode) {
    case ZSTD_ps_enable:
        return 0;
    case ZSTD_ps_disable:
        return 1;
    default:
        ((void)0);
        ; __attribute__((__fallthrough__));
    case ZSTD_ps_auto:
        return (cctxParams->cParams.strategy == ZSTD_fast) && (cctxParams->cParams.targetLength > 0);
    }
}
static void
ZSTD_safecopyLiterals(BYTE* op, BYTE const* ip, BYTE const* const iend, BYTE const* ilimit_w)
{
    ((void)0);
    if (ip <= ilimit_w) {
        ZSTD_wildcopy(op, ip, ilimit_w - ip, ZSTD_no_overlap);
        op += ilimit_w - ip;
        ip = ilimit_w;
    }
    while (ip < iend) *op++ = *ip++;
}
static inline __attribute__((always_inline)) __attribute__((unused)) __attribute__((unused)) void
ZSTD_storeSeqOnly(SeqStore_t* seqStorePtr,
              size_t litLength,
              U32 offBase,
              size_t matchLength)
{
    ((void)0);
    ((void)0);
    if ((__builtin_expect((litLength>0xFFFF), 0))) {
        ((void)0);
        seqStorePtr->longLengthType = ZSTD_llt_literalLength;
        seqStorePtr->longLengthPos = (U32)(seqStorePtr->sequences - seqStorePtr->sequencesStart);
    }
    seqStorePtr->sequences[0].litLength = (U16)litLength;
    seqStorePtr->sequences[0].offBase = offBase;
    ((void)0);
    ((void)0);
    { size_t const mlBase = matchLength - 3;
        if ((__builtin_expect((mlBase>0xFFFF), 0))) {
            ((void)0);
            seqStorePtr->longLengthType = ZSTD_llt_matchLength;
            seqStorePtr->longLengthPos = (U32)(seqStorePtr->sequences - seqStorePtr->sequencesStart);
        }
        seqStorePtr->sequences[0].mlBase = (U16)mlBase;
    }
    seqStorePtr->sequences++;
}
static inline __attribute__((always_inline)) __attribute__((unused)) __attribute__((unused)) void
ZSTD_storeSeq(SeqStore_t* seqStorePtr,
              size_t litLength, const BYTE* literals, const BYTE* litLimit,
              U32 offBase,
              size_t matchLength)
{
    BYTE const* const litLimit_w = litLimit - 32;
    BYTE const* const litEnd = literals + litLength;
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
    if (litEnd <= litLimit_w) {
        (void)sizeof(char[(32 >= 16) ? 1 : -1]);
        ZSTD_copy16(seqStorePtr->lit, literals);
        if (litLength > 16) {
            ZSTD_wildcopy(seqStorePtr->lit+16, literals+16, (ptrdiff_t)litLength-16, ZSTD_no_overlap);
        }
    } else {
        ZSTD_safecopyLiterals(seqStorePtr->lit, literals, litEnd, litLimit_w);
    }
    seqStorePtr->lit += litLength;
    ZSTD_storeSeqOnly(seqStorePtr, litLength, offBase, matchLength);
}
static __inline __attribute__((unused)) void
ZSTD_updateRep(U32 rep[3], U32 const offBase, U32 const ll0)
{
    if (((offBase) > 3)) {
        rep[2] = rep[1];
        rep[1] = rep[0];
        rep[0] = (((void)0), (offBase) - 3);
    } else {
        U32 const repCode = (((void)0), (offBase)) - 1 + ll0;
        if (repCode > 0) {
            U32 const currentOffset = (repCode==3) ? (rep[0] - 1) : rep[repCode];
            rep[2] = (repCode >= 2) ? rep[1] : rep[2];
            rep[1] = rep[0];
            rep[0] = currentOffset;
        } else {
        }
    }
}
typedef struct repcodes_s {
    U32 rep[3];
} Repcodes_t;
static __inline __attribute__((unused)) Repcodes_t
ZSTD_newRep(U32 const rep[3], U32 const offBase, U32 const ll0)
{
    Repcodes_t newReps;
    __builtin_memcpy((&newReps),(rep),(sizeof(newReps)));
    ZSTD_updateRep(newReps.rep, offBase, ll0);
    return newReps;
}
static __inline __attribute__((unused)) size_t ZSTD_count(const BYTE* pIn, const BYTE* pMatch, const BYTE* const pInLimit)
{
    const BYTE* const pStart = pIn;
    const BYTE* const pInLoopLimit = pInLimit - (sizeof(size_t)-1);
    if (pIn < pInLoopLimit) {
        { size_t const diff = MEM_readST(pMatch) ^ MEM_readST(pIn);
          if (diff) return ZSTD_NbCommonBytes(diff); }
        pIn+=sizeof(size_t); pMatch+=sizeof(size_t);
        while (pIn < pInLoopLimit) {
            size_t const diff = MEM_readST(pMatch) ^ MEM_readST(pIn);
            if (!diff) { pIn+=sizeof(size_t); pMatch+=sizeof(size_t); continue; }
            pIn += ZSTD_NbCommonBytes(diff);
            return (size_t)(pIn - pStart);
    } }
    if (MEM_64bits() && (pIn<(pInLimit-3)) && (MEM_read32(pMatch) == MEM_read32(pIn))) { pIn+=4; pMatch+=4; }
    if ((pIn<(pInLimit-1)) && (MEM_read16(pMatch) == MEM_read16(pIn))) { pIn+=2; pMatch+=2; }
    if ((pIn<pInLimit) && (*pMatch == *pIn)) pIn++;
    return (size_t)(pIn - pStart);
}
static __inline __attribute__((unused)) size_t
ZSTD_count_2segments(const BYTE* ip, const BYTE* match,
                     const BYTE* iEnd, const BYTE* mEnd, const BYTE* iStart)
{
    const BYTE* const vEnd = ((ip + (mEnd - match))<(iEnd) ? (ip + (mEnd - match)) : (iEnd));
    size_t const matchLength = ZSTD_count(ip, match, vEnd);
    if (match + matchLength != mEnd) return matchLength;
    do { } while (0);
    do { } while (0);
    do { } while (0);
    do { } while (0);
    do { } while (0);
    return matchLength + ZSTD_count(ip+matchLength, iStart, iEnd);
}
static const U32 prime3bytes = 506832829U;
static U32 ZSTD_hash3(U32 u, U32 h, U32 s) { ((void)0); return (((u << (32-24)) * prime3bytes) ^ s) >> (32-h) ; }
static __inline __attribute__((unused)) size_t ZSTD_hash3Ptr(const void* ptr, U32 h) { return ZSTD_hash3(MEM_readLE32(ptr), h, 0); }
static __inline __attribute__((unused)) size_t ZSTD_hash3PtrS(const void* ptr, U32 h, U32 s) { return ZSTD_hash3(MEM_readLE32(ptr), h, s); }
static const U32 prime4bytes = 2654435761U;
static U32 ZSTD_hash4(U32 u, U32 h, U32 s) { ((void)0); return ((u * prime4bytes) ^ s) >> (32-h) ; }
static size_t ZSTD_hash4Ptr(const void* ptr, U32 h) { return ZSTD_hash4(MEM_readLE32(ptr), h, 0); }
static size_t ZSTD_hash4PtrS(const void* ptr, U32 h, U32 s) { return ZSTD_hash4(MEM_readLE32(ptr), h, s); }
static const U64 prime5bytes = 889523592379ULL;
static size_t ZSTD_hash5(U64 u, U32 h, U64 s) { ((void)0); return (size_t)((((u << (64-40)) * prime5bytes) ^ s) >> (64-h)) ; }
static size_t ZSTD_hash5Ptr(const void* p, U32 h) { return ZSTD_hash5(MEM_readLE64(p), h, 0); }
static size_t ZSTD_hash5PtrS(const void* p, U32 h, U64 s) { return ZSTD_hash5(MEM_readLE64(p), h, s); }
static const U64 prime6bytes = 227718039650203ULL;
static size_t ZSTD_hash6(U64 u, U32 h, U64 s) { ((void)0); return (size_t)((((u << (64-48)) * prime6bytes) ^ s) >> (64-h)) ; }
static size_t ZSTD_hash6Ptr(const void* p, U32 h) { return ZSTD_hash6(MEM_readLE64(p), h, 0); }
static size_t ZSTD_hash6PtrS(const void* p, U32 h, U64 s) { return ZSTD_hash6(MEM_readLE64(p), h, s); }
static const U64 prime7bytes = 58295818150454627ULL;
static size_t ZSTD_hash7(U64 u, U32 h, U64 s) { ((void)0); return (size_t)((((u << (64-56)) * prime7bytes) ^ s) >> (64-h)) ; }
static size_t ZSTD_hash7Ptr(const void* p, U32 h) { return ZSTD_hash7(MEM_readLE64(p), h, 0); }
static size_t ZSTD_hash7PtrS(const void* p, U32 h, U64 s) { return ZSTD_hash7(MEM_readLE64(p), h, s); }
static const U64 prime8bytes = 0xCF1BBCDCB7A56463ULL;
static size_t ZSTD_hash8(U64 u, U32 h, U64 s) { ((void)0); return (size_t)((((u) * prime8bytes) ^ s) >> (64-h)) ; }
static size_t ZSTD_hash8Ptr(const void* p, U32 h) { return ZSTD_hash8(MEM_readLE64(p), h, 0); }
static size_t ZSTD_hash8PtrS(const void* p, U32 h, U64 s) { return ZSTD_hash8(MEM_readLE64(p), h, s); }
static __inline __attribute__((unused)) __attribute__((always_inline))
size_t ZSTD_hashPtr(const void* p, U32 hBits, U32 mls)
{
    ((void)0);
    switch(mls)
    {
    default:
    case 4: return ZSTD_hash4Ptr(p, hBits);
    case 5: return ZSTD_hash5Ptr(p, hBits);
    case 6: return ZSTD_hash6Ptr(p, hBits);
    case 7: return ZSTD_hash7Ptr(p, hBits);
    case 8: return ZSTD_hash8Ptr(p, hBits);
    }
}
static __inline __attribute__((unused)) __attribute__((always_inline))
size_t ZSTD_hashPtrSalted(const void* p, U32 hBits, U32 mls, const U64 hashSalt) {
    ((void)0);
    switch(mls)
    {
        default:
        case 4: return ZSTD_hash4PtrS(p, hBits, (U32)hashSalt);
        case 5: return ZSTD_hash5PtrS(p, hBits, hashSalt);
        case 6: return ZSTD_hash6PtrS(p, hBits, hashSalt);
        case 7: return ZSTD_hash7PtrS(p, hBits, hashSalt);
        case 8: return ZSTD_hash8PtrS(p, hBits, hashSalt);
    }
}
static U64 ZSTD_ipow(U64 base, U64 exponent)
{
    U64 power = 1;
    while (exponent) {
      if (exponent & 1) power *= base;
      exponent >>= 1;
      base *= base;
    }
    return power;
}
static U64 ZSTD_rollingHash_append(U64 hash, void const* buf, size_t size)
{
    BYTE const* istart = (BYTE const*)buf;
    size_t pos;
    for (pos = 0; pos < size; ++pos) {
        hash *= prime8bytes;
        hash += istart[pos] + 10;
    }
    return hash;
}
static __inline __attribute__((unused)) U64 ZSTD_rollingHash_compute(void const* buf, size_t size)
{
    return ZSTD_rollingHash_append(0, buf, size);
}
static __inline __attribute__((unused)) U64 ZSTD_rollingHash_primePower(U32 length)
{
    return ZSTD_ipow(prime8bytes, length - 1);
}
static __inline __attribute__((unused)) U64 ZSTD_rollingHash_rotate(U64 hash, BYTE toRemove, BYTE toAdd, U64 primePower)
{
    hash -= (toRemove + 10) * primePower;
    hash *= prime8bytes;
    hash += toAdd + 10;
    return hash;
}
static __inline __attribute__((unused)) void ZSTD_window_clear(ZSTD_window_t* window)
{
    size_t const endT = (size_t)(window->nextSrc - window->base);
    U32 const end = (U32)endT;
    window->lowLimit = end;
    window->dictLimit = end;
}
static __inline __attribute__((unused)) U32 ZSTD_window_isEmpty(ZSTD_window_t const window)
{
    return window.dictLimit == 2 &&
           window.lowLimit == 2 &&
           (window.nextSrc - window.base) == 2;
}
static __inline __attribute__((unused)) U32 ZSTD_window_hasExtDict(ZSTD_window_t const window)
{
    return window.lowLimit < window.dictLimit;
}
static __inline __attribute__((unused)) ZSTD_dictMode_e ZSTD_matchState_dictMode(const ZSTD_MatchState_t *ms)
{
    return ZSTD_window_hasExtDict(ms->window) ?
        ZSTD_extDict :
        ms->dictMatchState != ((void*)0) ?
            (ms->dictMatchState->dedicatedDictSearch ? ZSTD_dedicatedDictSearch : ZSTD_dictMatchState) :
            ZSTD_noDict;
}
static __inline __attribute__((unused)) U32 ZSTD_window_canOverflowCorrect(ZSTD_window_t const window,
                                              U32 cycleLog,
                                              U32 maxDist,
                                              U32 loadedDictEnd,
                                              void const* src)
{
    U32 const cycleSize = 1u << cycleLog;
    U32 const curr = (U32)((BYTE const*)src - window.base);
    U32 const minIndexToOverflowCorrect = cycleSize
                                        + ((maxDist)>(cycleSize) ? (maxDist) : (cycleSize))
                                        + 2;
    U32 const adjustment = window.nbOverflowCorrections + 1;
    U32 const adjustedIndex = ((minIndexToOverflowCorrect * adjustment)>(minIndexToOverflowCorrect) ? (minIndexToOverflowCorrect * adjustment) : (minIndexToOverflowCorrect));
    U32 const indexLargeEnough = curr > adjustedIndex;
    U32 const dictionaryInvalidated = curr > maxDist + loadedDictEnd;
    return indexLargeEnough && dictionaryInvalidated;
}
static __inline __attribute__((unused)) U32 ZSTD_window_needOverflowCorrection(ZSTD_window_t const window,
                                                  U32 cycleLog,
                                                  U32 maxDist,
                                                  U32 loadedDictEnd,
                                                  void const* src,
                                                  void const* srcEnd)
{
    U32 const curr = (U32)((BYTE const*)srcEnd - window.base);
    if (0) {
        if (ZSTD_window_canOverflowCorrect(window, cycleLog, maxDist, loadedDictEnd, src)) {
            return 1;
        }
    }
    return curr > (MEM_64bits() ? 3500U *(1 <<20) : 2000U *(1 <<20));
}
static __inline __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
U32 ZSTD_window_correctOverflow(ZSTD_window_t* window, U32 cycleLog,
                                           U32 maxDist, void const* src)
{
    U32 const cycleSize = 1u << cycleLog;
    U32 const cycleMask = cycleSize - 1;
    U32 const curr = (U32)((BYTE const*)src - window->base);
    U32 const currentCycle = curr & cycleMask;
    U32 const currentCycleCorrection = currentCycle < 2
                                     ? ((cycleSize)>(2) ? (cycleSize) : (2))
                                     : 0;
    U32 const newCurrent = currentCycle
                         + currentCycleCorrection
                         + ((maxDist)>(cycleSize) ? (maxDist) : (cycleSize));
    U32 const correction = curr - newCurrent;
    ((void)0);
    ((void)0);
    ((void)0);
    if (!0) {
        ((void)0);
    }
    window->base += correction;
    window->dictBase += correction;
    if (window->lowLimit < correction + 2) {
        window->lowLimit = 2;
    } else {
        window->lowLimit -= correction;
    }
    if (window->dictLimit < correction + 2) {
        window->dictLimit = 2;
    } else {
        window->dictLimit -= correction;
    }
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
    ++window->nbOverflowCorrections;
    do { } while (0);
    return correction;
}
static __inline __attribute__((unused)) void
ZSTD_window_enforceMaxDist(ZSTD_window_t* window,
                     const void* blockEnd,
                           U32 maxDist,
                           U32* loadedDictEndPtr,
                     const ZSTD_MatchState_t** dictMatchStatePtr)
{
    U32 const blockEndIdx = (U32)((BYTE const*)blockEnd - window->base);
    U32 const loadedDictEnd = (loadedDictEndPtr != ((void*)0)) ? *loadedDictEndPtr : 0;
    do { } while (0);
    if (blockEndIdx > maxDist + loadedDictEnd) {
        U32 const newLowLimit = blockEndIdx - maxDist;
        if (window->lowLimit < newLowLimit) window->lowLimit = newLowLimit;
        if (window->dictLimit < window->lowLimit) {
            do { } while (0);
            window->dictLimit = window->lowLimit;
        }
        if (loadedDictEndPtr) *loadedDictEndPtr = 0;
        if (dictMatchStatePtr) *dictMatchStatePtr = ((void*)0);
    }
}
static __inline __attribute__((unused)) void
ZSTD_checkDictValidity(const ZSTD_window_t* window,
                       const void* blockEnd,
                             U32 maxDist,
                             U32* loadedDictEndPtr,
                       const ZSTD_MatchState_t** dictMatchStatePtr)
{
    ((void)0);
    ((void)0);
    { U32 const blockEndIdx = (U32)((BYTE const*)blockEnd - window->base);
        U32 const loadedDictEnd = *loadedDictEndPtr;
        do { } while (0);
        ((void)0);
        if (blockEndIdx > loadedDictEnd + maxDist || loadedDictEnd != window->dictLimit) {
            do { } while (0);
            *loadedDictEndPtr = 0;
            *dictMatchStatePtr = ((void*)0);
        } else {
            if (*loadedDictEndPtr != 0) {
                do { } while (0);
    } } }
}
static __inline __attribute__((unused)) void ZSTD_window_init(ZSTD_window_t* window) {
    __builtin_memset((window),(0),(sizeof(*window)));
    window->base = (BYTE const*)" ";
    window->dictBase = (BYTE const*)" ";
    (void)sizeof(char[(1 < 2) ? 1 : -1]);
    window->dictLimit = 2;
    window->lowLimit = 2;
    window->nextSrc = window->base + 2;
    window->nbOverflowCorrections = 0;
}
static __inline __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
U32 ZSTD_window_update(ZSTD_window_t* window,
                 const void* src, size_t srcSize,
                       int forceNonContiguous)
{
    BYTE const* const ip = (BYTE const*)src;
    U32 contiguous = 1;
    do { } while (0);
    if (srcSize == 0)
        return contiguous;
    ((void)0);
    ((void)0);
    if (src != window->nextSrc || forceNonContiguous) {
        size_t const distanceFromBase = (size_t)(window->nextSrc - window->base);
        do { } while (0);
        window->lowLimit = window->dictLimit;
        ((void)0);
        window->dictLimit = (U32)distanceFromBase;
        window->dictBase = window->base;
        window->base = ip - distanceFromBase;
        if (window->dictLimit - window->lowLimit < 8) window->lowLimit = window->dictLimit;
        contiguous = 0;
    }
    window->nextSrc = ip + srcSize;
    if ( (ip+srcSize > window->dictBase + window->lowLimit)
       & (ip < window->dictBase + window->dictLimit)) {
        size_t const highInputIdx = (size_t)((ip + srcSize) - window->dictBase);
        U32 const lowLimitMax = (highInputIdx > (size_t)window->dictLimit) ? window->dictLimit : (U32)highInputIdx;
        ((void)0);
        window->lowLimit = lowLimitMax;
        do { } while (0);
    }
    return contiguous;
}
static __inline __attribute__((unused)) U32 ZSTD_getLowestMatchIndex(const ZSTD_MatchState_t* ms, U32 curr, unsigned windowLog)
{
    U32 const maxDistance = 1U << windowLog;
    U32 const lowestValid = ms->window.lowLimit;
    U32 const withinWindow = (curr - lowestValid > maxDistance) ? curr - maxDistance : lowestValid;
    U32 const isDictionary = (ms->loadedDictEnd != 0);
    U32 const matchLowest = isDictionary ? lowestValid : withinWindow;
    return matchLowest;
}
static __inline __attribute__((unused)) U32 ZSTD_getLowestPrefixIndex(const ZSTD_MatchState_t* ms, U32 curr, unsigned windowLog)
{
    U32 const maxDistance = 1U << windowLog;
    U32 const lowestValid = ms->window.dictLimit;
    U32 const withinWindow = (curr - lowestValid > maxDistance) ? curr - maxDistance : lowestValid;
    U32 const isDictionary = (ms->loadedDictEnd != 0);
    U32 const matchLowest = isDictionary ? lowestValid : withinWindow;
    return matchLowest;
}
static __inline __attribute__((unused)) int ZSTD_index_overlap_check(const U32 prefixLowestIndex, const U32 repIndex) {
    return ((U32)((prefixLowestIndex-1) - repIndex) >= 3);
}
static __inline __attribute__((unused)) void ZSTD_writeTaggedIndex(U32* const hashTable, size_t hashAndTag, U32 index) {
    size_t const hash = hashAndTag >> 8;
    U32 const tag = (U32)(hashAndTag & ((1u << 8) - 1));
    ((void)0);
    hashTable[hash] = (index << 8) | tag;
}
static __inline __attribute__((unused)) int ZSTD_comparePackedTags(size_t packedTag1, size_t packedTag2) {
    U32 const tag1 = packedTag1 & ((1u << 8) - 1);
    U32 const tag2 = packedTag2 & ((1u << 8) - 1);
    return tag1 == tag2;
}
size_t ZSTD_loadCEntropy(ZSTD_compressedBlockState_t* bs, void* workspace,
                         const void* const dict, size_t dictSize);
void ZSTD_reset_compressedBlockState(ZSTD_compressedBlockState_t* bs);
typedef struct {
    U32 idx;
    U32 posInSequence;
    size_t posInSrc;
} ZSTD_SequencePosition;
size_t ZSTD_convertBlockSequences(ZSTD_CCtx* cctx,
                        const ZSTD_Sequence* const inSeqs, size_t nbSequences,
                        int const repcodeResolution);
typedef struct {
    size_t nbSequences;
    size_t blockSize;
    size_t litSize;
} BlockSummary;
BlockSummary ZSTD_get1BlockSummary(const ZSTD_Sequence* seqs, size_t nbSeqs);
ZSTD_compressionParameters ZSTD_getCParamsFromCCtxParams(
        const ZSTD_CCtx_params* CCtxParams, U64 srcSizeHint, size_t dictSize, ZSTD_CParamMode_e mode);
size_t ZSTD_initCStream_internal(ZSTD_CStream* zcs,
                     const void* dict, size_t dictSize,
                     const ZSTD_CDict* cdict,
                     const ZSTD_CCtx_params* params, unsigned long long pledgedSrcSize);
void ZSTD_resetSeqStore(SeqStore_t* ssPtr);
ZSTD_compressionParameters ZSTD_getCParamsFromCDict(const ZSTD_CDict* cdict);
size_t ZSTD_compressBegin_advanced_internal(ZSTD_CCtx* cctx,
                                    const void* dict, size_t dictSize,
                                    ZSTD_dictContentType_e dictContentType,
                                    ZSTD_dictTableLoadMethod_e dtlm,
                                    const ZSTD_CDict* cdict,
                                    const ZSTD_CCtx_params* params,
                                    unsigned long long pledgedSrcSize);
size_t ZSTD_compress_advanced_internal(ZSTD_CCtx* cctx,
                                       void* dst, size_t dstCapacity,
                                 const void* src, size_t srcSize,
                                 const void* dict,size_t dictSize,
                                 const ZSTD_CCtx_params* params);
size_t ZSTD_writeLastEmptyBlock(void* dst, size_t dstCapacity);
void ZSTD_referenceExternalSequences(ZSTD_CCtx* cctx, rawSeq* seq, size_t nbSeq);
U32 ZSTD_cycleLog(U32 hashLog, ZSTD_strategy strat);
void ZSTD_CCtx_trace(ZSTD_CCtx* cctx, size_t extraCSize);
static __inline __attribute__((unused)) int ZSTD_hasExtSeqProd(const ZSTD_CCtx_params* params) {
    return params->extSeqProdFunc != ((void*)0);
}
size_t ZSTD_compressBegin_usingCDict_deprecated(ZSTD_CCtx* cctx, const ZSTD_CDict* cdict);
size_t ZSTD_compressContinue_public(ZSTD_CCtx* cctx,
                                    void* dst, size_t dstCapacity,
                              const void* src, size_t srcSize);
size_t ZSTD_compressEnd_public(ZSTD_CCtx* cctx,
                               void* dst, size_t dstCapacity,
                         const void* src, size_t srcSize);
size_t ZSTD_compressBlock_deprecated(ZSTD_CCtx* cctx, void* dst, size_t dstCapacity, const void* src, size_t srcSize);
size_t HIST_count(unsigned* count, unsigned* maxSymbolValuePtr,
                  const void* src, size_t srcSize);
unsigned HIST_isError(size_t code);
size_t HIST_count_wksp(unsigned* count, unsigned* maxSymbolValuePtr,
                       const void* src, size_t srcSize,
                       void* workSpace, size_t workSpaceSize);
size_t HIST_countFast(unsigned* count, unsigned* maxSymbolValuePtr,
                      const void* src, size_t srcSize);
size_t HIST_countFast_wksp(unsigned* count, unsigned* maxSymbolValuePtr,
                           const void* src, size_t srcSize,
                           void* workSpace, size_t workSpaceSize);
unsigned HIST_count_simple(unsigned* count, unsigned* maxSymbolValuePtr,
                           const void* src, size_t srcSize);
void HIST_add(unsigned* count, const void* src, size_t srcSize);
void ZSTD_updateTree(ZSTD_MatchState_t* ms, const BYTE* ip, const BYTE* iend);
size_t ZSTD_compressBlock_btopt(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
size_t ZSTD_compressBlock_btopt_dictMatchState(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
size_t ZSTD_compressBlock_btopt_extDict(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
size_t ZSTD_compressBlock_btultra(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
size_t ZSTD_compressBlock_btultra_dictMatchState(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
size_t ZSTD_compressBlock_btultra_extDict(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
size_t ZSTD_compressBlock_btultra2(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        void const* src, size_t srcSize);
static __inline __attribute__((unused)) U32 ZSTD_bitWeight(U32 stat)
{
    return (ZSTD_highbit32(stat+1) * (1 << 8));
}
static __inline __attribute__((unused)) U32 ZSTD_fracWeight(U32 rawStat)
{
    U32 const stat = rawStat + 1;
    U32 const hb = ZSTD_highbit32(stat);
    U32 const BWeight = hb * (1 << 8);
    U32 const FWeight = (stat << 8) >> hb;
    U32 const weight = BWeight + FWeight;
    ((void)0);
    return weight;
}
static int ZSTD_compressedLiterals(optState_t const* const optPtr)
{
    return optPtr->literalCompressionMode != ZSTD_ps_disable;
}
static void ZSTD_setBasePrices(optState_t* optPtr, int optLevel)
{
    if (ZSTD_compressedLiterals(optPtr))
        optPtr->litSumBasePrice = ((optLevel) ? ZSTD_fracWeight(optPtr->litSum) : ZSTD_bitWeight(optPtr->litSum));
    optPtr->litLengthSumBasePrice = ((optLevel) ? ZSTD_fracWeight(optPtr->litLengthSum) : ZSTD_bitWeight(optPtr->litLengthSum));
    optPtr->matchLengthSumBasePrice = ((optLevel) ? ZSTD_fracWeight(optPtr->matchLengthSum) : ZSTD_bitWeight(optPtr->matchLengthSum));
    optPtr->offCodeSumBasePrice = ((optLevel) ? ZSTD_fracWeight(optPtr->offCodeSum) : ZSTD_bitWeight(optPtr->offCodeSum));
}
static U32 sum_u32(const unsigned table[], size_t nbElts)
{
    size_t n;
    U32 total = 0;
    for (n=0; n<nbElts; n++) {
        total += table[n];
    }
    return total;
}
typedef enum { base_0possible=0, base_1guaranteed=1 } base_directive_e;
static U32
ZSTD_downscaleStats(unsigned* table, U32 lastEltIndex, U32 shift, base_directive_e base1)
{
    U32 s, sum=0;
    do { } while (0);
    ((void)0);
    for (s=0; s<lastEltIndex+1; s++) {
        unsigned const base = base1 ? 1 : (table[s]>0);
        unsigned const newStat = base + (table[s] >> shift);
        sum += newStat;
        table[s] = newStat;
    }
    return sum;
}
static U32 ZSTD_scaleStats(unsigned* table, U32 lastEltIndex, U32 logTarget)
{
    U32 const prevsum = sum_u32(table, lastEltIndex+1);
    U32 const factor = prevsum >> logTarget;
    do { } while (0);
    ((void)0);
    if (factor <= 1) return prevsum;
    return ZSTD_downscaleStats(table, lastEltIndex, ZSTD_highbit32(factor), base_1guaranteed);
}
static void
ZSTD_rescaleFreqs(optState_t* const optPtr,
            const BYTE* const src, size_t const srcSize,
                  int const optLevel)
{
    int const compressedLiterals = ZSTD_compressedLiterals(optPtr);
    do { } while (0);
    optPtr->priceType = zop_dynamic;
    if (optPtr->litLengthSum == 0) {
        if (srcSize <= 8) {
            do { } while (0);
            optPtr->priceType = zop_predef;
        }
        ((void)0);
        if (optPtr->symbolCosts->huf.repeatMode == HUF_repeat_valid) {
            optPtr->priceType = zop_dynamic;
            if (compressedLiterals) {
                unsigned lit;
                ((void)0);
                optPtr->litSum = 0;
                for (lit=0; lit<=((1<<8) - 1); lit++) {
                    U32 const scaleLog = 11;
                    U32 const bitCost = HUF_getNbBitsFromCTable(optPtr->symbolCosts->huf.CTable, lit);
                    ((void)0);
                    optPtr->litFreq[lit] = bitCost ? 1 << (scaleLog-bitCost) : 1 ;
                    optPtr->litSum += optPtr->litFreq[lit];
            } }
            { unsigned ll;
                FSE_CState_t llstate;
                FSE_initCState(&llstate, optPtr->symbolCosts->fse.litlengthCTable);
                optPtr->litLengthSum = 0;
                for (ll=0; ll<=35; ll++) {
                    U32 const scaleLog = 10;
                    U32 const bitCost = FSE_getMaxNbBits(llstate.symbolTT, ll);
                    ((void)0);
                    optPtr->litLengthFreq[ll] = bitCost ? 1 << (scaleLog-bitCost) : 1 ;
                    optPtr->litLengthSum += optPtr->litLengthFreq[ll];
            } }
            { unsigned ml;
                FSE_CState_t mlstate;
                FSE_initCState(&mlstate, optPtr->symbolCosts->fse.matchlengthCTable);
                optPtr->matchLengthSum = 0;
                for (ml=0; ml<=52; ml++) {
                    U32 const scaleLog = 10;
                    U32 const bitCost = FSE_getMaxNbBits(mlstate.symbolTT, ml);
                    ((void)0);
                    optPtr->matchLengthFreq[ml] = bitCost ? 1 << (scaleLog-bitCost) : 1 ;
                    optPtr->matchLengthSum += optPtr->matchLengthFreq[ml];
            } }
            { unsigned of;
                FSE_CState_t ofstate;
                FSE_initCState(&ofstate, optPtr->symbolCosts->fse.offcodeCTable);
                optPtr->offCodeSum = 0;
                for (of=0; of<=31; of++) {
                    U32 const scaleLog = 10;
                    U32 const bitCost = FSE_getMaxNbBits(ofstate.symbolTT, of);
                    ((void)0);
                    optPtr->offCodeFreq[of] = bitCost ? 1 << (scaleLog-bitCost) : 1 ;
                    optPtr->offCodeSum += optPtr->offCodeFreq[of];
            } }
        } else {
            ((void)0);
            if (compressedLiterals) {
                unsigned lit = ((1<<8) - 1);
                HIST_count_simple(optPtr->litFreq, &lit, src, srcSize);
                optPtr->litSum = ZSTD_downscaleStats(optPtr->litFreq, ((1<<8) - 1), 8, base_0possible);
            }
            { unsigned const baseLLfreqs[35 +1] = {
                    4, 2, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1
                };
                __builtin_memcpy((optPtr->litLengthFreq),(baseLLfreqs),(sizeof(baseLLfreqs)));
                optPtr->litLengthSum = sum_u32(baseLLfreqs, 35 +1);
            }
            { unsigned ml;
                for (ml=0; ml<=52; ml++)
                    optPtr->matchLengthFreq[ml] = 1;
            }
            optPtr->matchLengthSum = 52 +1;
            { unsigned const baseOFCfreqs[31 +1] = {
                    6, 2, 1, 1, 2, 3, 4, 4,
                    4, 3, 2, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1
                };
                __builtin_memcpy((optPtr->offCodeFreq),(baseOFCfreqs),(sizeof(baseOFCfreqs)));
                optPtr->offCodeSum = sum_u32(baseOFCfreqs, 31 +1);
            }
        }
    } else {
        if (compressedLiterals)
            optPtr->litSum = ZSTD_scaleStats(optPtr->litFreq, ((1<<8) - 1), 12);
        optPtr->litLengthSum = ZSTD_scaleStats(optPtr->litLengthFreq, 35, 11);
        optPtr->matchLengthSum = ZSTD_scaleStats(optPtr->matchLengthFreq, 52, 11);
        optPtr->offCodeSum = ZSTD_scaleStats(optPtr->offCodeFreq, 31, 11);
    }
    ZSTD_setBasePrices(optPtr, optLevel);
}
static U32 ZSTD_rawLiteralsCost(const BYTE* const literals, U32 const litLength,
                                const optState_t* const optPtr,
                                int optLevel)
{
    do { } while (0);
    if (litLength == 0) return 0;
    if (!ZSTD_compressedLiterals(optPtr))
        return (litLength << 3) * (1 << 8);
    if (optPtr->priceType == zop_predef)
        return (litLength*6) * (1 << 8);
    { U32 price = optPtr->litSumBasePrice * litLength;
        U32 const litPriceMax = optPtr->litSumBasePrice - (1 << 8);
        U32 u;
        ((void)0);
        for (u=0; u < litLength; u++) {
            U32 litPrice = ((optLevel) ? ZSTD_fracWeight(optPtr->litFreq[literals[u]]) : ZSTD_bitWeight(optPtr->litFreq[literals[u]]));
            if ((__builtin_expect((litPrice > litPriceMax), 0))) litPrice = litPriceMax;
            price -= litPrice;
        }
        return price;
    }
}
static U32 ZSTD_litLengthPrice(U32 const litLength, const optState_t* const optPtr, int optLevel)
{
    ((void)0);
    if (optPtr->priceType == zop_predef)
        return ((optLevel) ? ZSTD_fracWeight(litLength) : ZSTD_bitWeight(litLength));
    if (litLength == (1<<17))
        return (1 << 8) + ZSTD_litLengthPrice((1<<17) - 1, optPtr, optLevel);
    { U32 const llCode = ZSTD_LLcode(litLength);
        return (LL_bits[llCode] * (1 << 8))
             + optPtr->litLengthSumBasePrice
             - ((optLevel) ? ZSTD_fracWeight(optPtr->litLengthFreq[llCode]) : ZSTD_bitWeight(optPtr->litLengthFreq[llCode]));
    }
}
static inline __attribute__((always_inline)) __attribute__((unused)) U32
ZSTD_getMatchPrice(U32 const offBase,
                   U32 const matchLength,
             const optState_t* const optPtr,
                   int const optLevel)
{
    U32 price;
    U32 const offCode = ZSTD_highbit32(offBase);
    U32 const mlBase = matchLength - 3;
    ((void)0);
    if (optPtr->priceType == zop_predef)
        return ((optLevel) ? ZSTD_fracWeight(mlBase) : ZSTD_bitWeight(mlBase))
             + ((16 + offCode) * (1 << 8));
    price = (offCode * (1 << 8)) + (optPtr->offCodeSumBasePrice - ((optLevel) ? ZSTD_fracWeight(optPtr->offCodeFreq[offCode]) : ZSTD_bitWeight(optPtr->offCodeFreq[offCode])));
    if ((optLevel<2) && offCode >= 20)
        price += (offCode-19)*2 * (1 << 8);
    { U32 const mlCode = ZSTD_MLcode(mlBase);
        price += (ML_bits[mlCode] * (1 << 8)) + (optPtr->matchLengthSumBasePrice - ((optLevel) ? ZSTD_fracWeight(optPtr->matchLengthFreq[mlCode]) : ZSTD_bitWeight(optPtr->matchLengthFreq[mlCode])));
    }
    price += (1 << 8) / 5;
    do { } while (0);
    return price;
}
static void ZSTD_updateStats(optState_t* const optPtr,
                             U32 litLength, const BYTE* literals,
                             U32 offBase, U32 matchLength)
{
    if (ZSTD_compressedLiterals(optPtr)) {
        U32 u;
        for (u=0; u < litLength; u++)
            optPtr->litFreq[literals[u]] += 2;
        optPtr->litSum += litLength*2;
    }
    { U32 const llCode = ZSTD_LLcode(litLength);
        optPtr->litLengthFreq[llCode]++;
        optPtr->litLengthSum++;
    }
    { U32 const offCode = ZSTD_highbit32(offBase);
        ((void)0);
        optPtr->offCodeFreq[offCode]++;
        optPtr->offCodeSum++;
    }
    { U32 const mlBase = matchLength - 3;
        U32 const mlCode = ZSTD_MLcode(mlBase);
        optPtr->matchLengthFreq[mlCode]++;
        optPtr->matchLengthSum++;
    }
}
static __inline __attribute__((unused)) U32 ZSTD_readMINMATCH(const void* memPtr, U32 length)
{
    switch (length)
    {
    default :
    case 4 : return MEM_read32(memPtr);
    case 3 : if (MEM_isLittleEndian())
                return MEM_read32(memPtr)<<8;
             else
                return MEM_read32(memPtr)>>8;
    }
}
static
__attribute__((no_sanitize("pointer-overflow")))
U32 ZSTD_insertAndFindFirstIndexHash3 (const ZSTD_MatchState_t* ms,
                                       U32* nextToUpdate3,
                                       const BYTE* const ip)
{
    U32* const hashTable3 = ms->hashTable3;
    U32 const hashLog3 = ms->hashLog3;
    const BYTE* const base = ms->window.base;
    U32 idx = *nextToUpdate3;
    U32 const target = (U32)(ip - base);
    size_t const hash3 = ZSTD_hash3Ptr(ip, hashLog3);
    ((void)0);
    while(idx < target) {
        hashTable3[ZSTD_hash3Ptr(base+idx, hashLog3)] = idx;
        idx++;
    }
    *nextToUpdate3 = target;
    return hashTable3[hash3];
}
static
__attribute__((no_sanitize("pointer-overflow")))
U32 ZSTD_insertBt1(
                const ZSTD_MatchState_t* ms,
                const BYTE* const ip, const BYTE* const iend,
                U32 const target,
                U32 const mls, const int extDict)
{
    const ZSTD_compressionParameters* const cParams = &ms->cParams;
    U32* const hashTable = ms->hashTable;
    U32 const hashLog = cParams->hashLog;
    size_t const h = ZSTD_hashPtr(ip, hashLog, mls);
    U32* const bt = ms->chainTable;
    U32 const btLog = cParams->chainLog - 1;
    U32 const btMask = (1 << btLog) - 1;
    U32 matchIndex = hashTable[h];
    size_t commonLengthSmaller=0, commonLengthLarger=0;
    const BYTE* const base = ms->window.base;
    const BYTE* const dictBase = ms->window.dictBase;
    const U32 dictLimit = ms->window.dictLimit;
    const BYTE* const dictEnd = dictBase + dictLimit;
    const BYTE* const prefixStart = base + dictLimit;
    const BYTE* match;
    const U32 curr = (U32)(ip-base);
    const U32 btLow = btMask >= curr ? 0 : curr - btMask;
    U32* smallerPtr = bt + 2*(curr&btMask);
    U32* largerPtr = smallerPtr + 1;
    U32 dummy32;
    U32 const windowLow = ZSTD_getLowestMatchIndex(ms, target, cParams->windowLog);
    U32 matchEndIdx = curr+8+1;
    size_t bestLength = 8;
    U32 nbCompares = 1U << cParams->searchLog;
    do { } while (0);
    ((void)0);
    ((void)0);
    hashTable[h] = curr;
    ((void)0);
    for (; nbCompares && (matchIndex >= windowLow); --nbCompares) {
        U32* const nextPtr = bt + 2*(matchIndex & btMask);
        size_t matchLength = ((commonLengthSmaller)<(commonLengthLarger) ? (commonLengthSmaller) : (commonLengthLarger));
        ((void)0);
        if (!extDict || (matchIndex+matchLength >= dictLimit)) {
            ((void)0);
            match = base + matchIndex;
            matchLength += ZSTD_count(ip+matchLength, match+matchLength, iend);
        } else {
            match = dictBase + matchIndex;
            matchLength += ZSTD_count_2segments(ip+matchLength, match+matchLength, iend, dictEnd, prefixStart);
            if (matchIndex+matchLength >= dictLimit)
                match = base + matchIndex;
        }
        if (matchLength > bestLength) {
            bestLength = matchLength;
            if (matchLength > matchEndIdx - matchIndex)
                matchEndIdx = matchIndex + (U32)matchLength;
        }
        if (ip+matchLength == iend) {
            break;
        }
        if (match[matchLength] < ip[matchLength]) {
            *smallerPtr = matchIndex;
            commonLengthSmaller = matchLength;
            if (matchIndex <= btLow) { smallerPtr=&dummy32; break; }
            smallerPtr = nextPtr+1;
            matchIndex = nextPtr[1];
        } else {
            *largerPtr = matchIndex;
            commonLengthLarger = matchLength;
            if (matchIndex <= btLow) { largerPtr=&dummy32; break; }
            largerPtr = nextPtr;
            matchIndex = nextPtr[0];
    } }
    *smallerPtr = *largerPtr = 0;
    { U32 positions = 0;
        if (bestLength > 384) positions = ((192)<((U32)(bestLength - 384)) ? (192) : ((U32)(bestLength - 384)));
        ((void)0);
        return ((positions)>(matchEndIdx - (curr + 8)) ? (positions) : (matchEndIdx - (curr + 8)));
    }
}
static inline __attribute__((always_inline)) __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
void ZSTD_updateTree_internal(
                ZSTD_MatchState_t* ms,
                const BYTE* const ip, const BYTE* const iend,
                const U32 mls, const ZSTD_dictMode_e dictMode)
{
    const BYTE* const base = ms->window.base;
    U32 const target = (U32)(ip - base);
    U32 idx = ms->nextToUpdate;
    do { } while (0);
    while(idx < target) {
        U32 const forward = ZSTD_insertBt1(ms, base+idx, iend, target, mls, dictMode == ZSTD_extDict);
        ((void)0);
        idx += forward;
    }
    ((void)0);
    ((void)0);
    ms->nextToUpdate = target;
}
void ZSTD_updateTree(ZSTD_MatchState_t* ms, const BYTE* ip, const BYTE* iend) {
    ZSTD_updateTree_internal(ms, ip, iend, ms->cParams.minMatch, ZSTD_noDict);
}
static inline __attribute__((always_inline)) __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
U32
ZSTD_insertBtAndGetAllMatches (
                ZSTD_match_t* matches,
                ZSTD_MatchState_t* ms,
                U32* nextToUpdate3,
                const BYTE* const ip, const BYTE* const iLimit,
                const ZSTD_dictMode_e dictMode,
                const U32 rep[3],
                const U32 ll0,
                const U32 lengthToBeat,
                const U32 mls )
{
    const ZSTD_compressionParameters* const cParams = &ms->cParams;
    U32 const sufficient_len = ((cParams->targetLength)<((1<<12) -1) ? (cParams->targetLength) : ((1<<12) -1));
    const BYTE* const base = ms->window.base;
    U32 const curr = (U32)(ip-base);
    U32 const hashLog = cParams->hashLog;
    U32 const minMatch = (mls==3) ? 3 : 4;
    U32* const hashTable = ms->hashTable;
    size_t const h = ZSTD_hashPtr(ip, hashLog, mls);
    U32 matchIndex = hashTable[h];
    U32* const bt = ms->chainTable;
    U32 const btLog = cParams->chainLog - 1;
    U32 const btMask= (1U << btLog) - 1;
    size_t commonLengthSmaller=0, commonLengthLarger=0;
    const BYTE* const dictBase = ms->window.dictBase;
    U32 const dictLimit = ms->window.dictLimit;
    const BYTE* const dictEnd = dictBase + dictLimit;
    const BYTE* const prefixStart = base + dictLimit;
    U32 const btLow = (btMask >= curr) ? 0 : curr - btMask;
    U32 const windowLow = ZSTD_getLowestMatchIndex(ms, curr, cParams->windowLog);
    U32 const matchLow = windowLow ? windowLow : 1;
    U32* smallerPtr = bt + 2*(curr&btMask);
    U32* largerPtr = bt + 2*(curr&btMask) + 1;
    U32 matchEndIdx = curr+8+1;
    U32 dummy32;
    U32 mnum = 0;
    U32 nbCompares = 1U << cParams->searchLog;
    const ZSTD_MatchState_t* dms = dictMode == ZSTD_dictMatchState ? ms->dictMatchState : ((void*)0);
    const ZSTD_compressionParameters* const dmsCParams =
                                      dictMode == ZSTD_dictMatchState ? &dms->cParams : ((void*)0);
    const BYTE* const dmsBase = dictMode == ZSTD_dictMatchState ? dms->window.base : ((void*)0);
    const BYTE* const dmsEnd = dictMode == ZSTD_dictMatchState ? dms->window.nextSrc : ((void*)0);
    U32 const dmsHighLimit = dictMode == ZSTD_dictMatchState ? (U32)(dmsEnd - dmsBase) : 0;
    U32 const dmsLowLimit = dictMode == ZSTD_dictMatchState ? dms->window.lowLimit : 0;
    U32 const dmsIndexDelta = dictMode == ZSTD_dictMatchState ? windowLow - dmsHighLimit : 0;
    U32 const dmsHashLog = dictMode == ZSTD_dictMatchState ? dmsCParams->hashLog : hashLog;
    U32 const dmsBtLog = dictMode == ZSTD_dictMatchState ? dmsCParams->chainLog - 1 : btLog;
    U32 const dmsBtMask = dictMode == ZSTD_dictMatchState ? (1U << dmsBtLog) - 1 : 0;
    U32 const dmsBtLow = dictMode == ZSTD_dictMatchState && dmsBtMask < dmsHighLimit - dmsLowLimit ? dmsHighLimit - dmsBtMask : dmsLowLimit;
    size_t bestLength = lengthToBeat-1;
    do { } while (0);
    ((void)0);
    { U32 const lastR = 3 + ll0;
        U32 repCode;
        for (repCode = ll0; repCode < lastR; repCode++) {
            U32 const repOffset = (repCode==3) ? (rep[0] - 1) : rep[repCode];
            U32 const repIndex = curr - repOffset;
            U32 repLen = 0;
            ((void)0);
            if (repOffset-1 < curr-dictLimit) {
                if ((repIndex >= windowLow) & (ZSTD_readMINMATCH(ip, minMatch) == ZSTD_readMINMATCH(ip - repOffset, minMatch))) {
                    repLen = (U32)ZSTD_count(ip+minMatch, ip+minMatch-repOffset, iLimit) + minMatch;
                }
            } else {
                const BYTE* const repMatch = dictMode == ZSTD_dictMatchState ?
                                             dmsBase + repIndex - dmsIndexDelta :
                                             dictBase + repIndex;
                ((void)0);
                if ( dictMode == ZSTD_extDict
                  && ( ((repOffset-1) < curr - windowLow)
                     & (ZSTD_index_overlap_check(dictLimit, repIndex)) )
                  && (ZSTD_readMINMATCH(ip, minMatch) == ZSTD_readMINMATCH(repMatch, minMatch)) ) {
                    repLen = (U32)ZSTD_count_2segments(ip+minMatch, repMatch+minMatch, iLimit, dictEnd, prefixStart) + minMatch;
                }
                if (dictMode == ZSTD_dictMatchState
                  && ( ((repOffset-1) < curr - (dmsLowLimit + dmsIndexDelta))
                     & (ZSTD_index_overlap_check(dictLimit, repIndex)) )
                  && (ZSTD_readMINMATCH(ip, minMatch) == ZSTD_readMINMATCH(repMatch, minMatch)) ) {
                    repLen = (U32)ZSTD_count_2segments(ip+minMatch, repMatch+minMatch, iLimit, dmsEnd, prefixStart) + minMatch;
            } }
            if (repLen > bestLength) {
                do { } while (0);
                bestLength = repLen;
                matches[mnum].off = (((void)0), ((void)0), (repCode - ll0 + 1));
                matches[mnum].len = (U32)repLen;
                mnum++;
                if ( (repLen > sufficient_len)
                   | (ip+repLen == iLimit) ) {
                    return mnum;
    } } } }
    if ((mls == 3) && (bestLength < mls)) {
        U32 const matchIndex3 = ZSTD_insertAndFindFirstIndexHash3(ms, nextToUpdate3, ip);
        if ((matchIndex3 >= matchLow)
          & (curr - matchIndex3 < (1<<18)) ) {
            size_t mlen;
            if ((dictMode == ZSTD_noDict) || (dictMode == ZSTD_dictMatchState) || (matchIndex3 >= dictLimit)) {
                const BYTE* const match = base + matchIndex3;
                mlen = ZSTD_count(ip, match, iLimit);
            } else {
                const BYTE* const match = dictBase + matchIndex3;
                mlen = ZSTD_count_2segments(ip, match, iLimit, dictEnd, prefixStart);
            }
            if (mlen >= mls ) {
                do { } while (0);
                bestLength = mlen;
                ((void)0);
                ((void)0);
                matches[0].off = (((void)0), curr - matchIndex3 + 3);
                matches[0].len = (U32)mlen;
                mnum = 1;
                if ( (mlen > sufficient_len) |
                     (ip+mlen == iLimit) ) {
                    ms->nextToUpdate = curr+1;
                    return 1;
        } } }
    }
    hashTable[h] = curr;
    for (; nbCompares && (matchIndex >= matchLow); --nbCompares) {
        U32* const nextPtr = bt + 2*(matchIndex & btMask);
        const BYTE* match;
        size_t matchLength = ((commonLengthSmaller)<(commonLengthLarger) ? (commonLengthSmaller) : (commonLengthLarger));
        ((void)0);
        if ((dictMode == ZSTD_noDict) || (dictMode == ZSTD_dictMatchState) || (matchIndex+matchLength >= dictLimit)) {
            ((void)0);
            match = base + matchIndex;
            if (matchIndex >= dictLimit) ((void)0);
            matchLength += ZSTD_count(ip+matchLength, match+matchLength, iLimit);
        } else {
            match = dictBase + matchIndex;
            ((void)0);
            matchLength += ZSTD_count_2segments(ip+matchLength, match+matchLength, iLimit, dictEnd, prefixStart);
            if (matchIndex+matchLength >= dictLimit)
                match = base + matchIndex;
        }
        if (matchLength > bestLength) {
            do { } while (0);
            ((void)0);
            if (matchLength > matchEndIdx - matchIndex)
                matchEndIdx = matchIndex + (U32)matchLength;
            bestLength = matchLength;
            matches[mnum].off = (((void)0), curr - matchIndex + 3);
            matches[mnum].len = (U32)matchLength;
            mnum++;
            if ( (matchLength > (1<<12))
               | (ip+matchLength == iLimit) ) {
                if (dictMode == ZSTD_dictMatchState) nbCompares = 0;
                break;
        } }
        if (match[matchLength] < ip[matchLength]) {
            *smallerPtr = matchIndex;
            commonLengthSmaller = matchLength;
            if (matchIndex <= btLow) { smallerPtr=&dummy32; break; }
            smallerPtr = nextPtr+1;
            matchIndex = nextPtr[1];
        } else {
            *largerPtr = matchIndex;
            commonLengthLarger = matchLength;
            if (matchIndex <= btLow) { largerPtr=&dummy32; break; }
            largerPtr = nextPtr;
            matchIndex = nextPtr[0];
    } }
    *smallerPtr = *largerPtr = 0;
    ((void)0);
    if (dictMode == ZSTD_dictMatchState && nbCompares) {
        size_t const dmsH = ZSTD_hashPtr(ip, dmsHashLog, mls);
        U32 dictMatchIndex = dms->hashTable[dmsH];
        const U32* const dmsBt = dms->chainTable;
        commonLengthSmaller = commonLengthLarger = 0;
        for (; nbCompares && (dictMatchIndex > dmsLowLimit); --nbCompares) {
            const U32* const nextPtr = dmsBt + 2*(dictMatchIndex & dmsBtMask);
            size_t matchLength = ((commonLengthSmaller)<(commonLengthLarger) ? (commonLengthSmaller) : (commonLengthLarger));
            const BYTE* match = dmsBase + dictMatchIndex;
            matchLength += ZSTD_count_2segments(ip+matchLength, match+matchLength, iLimit, dmsEnd, prefixStart);
            if (dictMatchIndex+matchLength >= dmsHighLimit)
                match = base + dictMatchIndex + dmsIndexDelta;
            if (matchLength > bestLength) {
                matchIndex = dictMatchIndex + dmsIndexDelta;
                do { } while (0);
                if (matchLength > matchEndIdx - matchIndex)
                    matchEndIdx = matchIndex + (U32)matchLength;
                bestLength = matchLength;
                matches[mnum].off = (((void)0), curr - matchIndex + 3);
                matches[mnum].len = (U32)matchLength;
                mnum++;
                if ( (matchLength > (1<<12))
                   | (ip+matchLength == iLimit) ) {
                    break;
            } }
            if (dictMatchIndex <= dmsBtLow) { break; }
            if (match[matchLength] < ip[matchLength]) {
                commonLengthSmaller = matchLength;
                dictMatchIndex = nextPtr[1];
            } else {
                commonLengthLarger = matchLength;
                dictMatchIndex = nextPtr[0];
    } } }
    ((void)0);
    ms->nextToUpdate = matchEndIdx - 8;
    return mnum;
}
typedef U32 (*ZSTD_getAllMatchesFn)(
    ZSTD_match_t*,
    ZSTD_MatchState_t*,
    U32*,
    const BYTE*,
    const BYTE*,
    const U32 rep[3],
    U32 const ll0,
    U32 const lengthToBeat);
static inline __attribute__((always_inline)) __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
U32 ZSTD_btGetAllMatches_internal(
        ZSTD_match_t* matches,
        ZSTD_MatchState_t* ms,
        U32* nextToUpdate3,
        const BYTE* ip,
        const BYTE* const iHighLimit,
        const U32 rep[3],
        U32 const ll0,
        U32 const lengthToBeat,
        const ZSTD_dictMode_e dictMode,
        const U32 mls)
{
    ((void)0);
    do { } while (0);
    if (ip < ms->window.base + ms->nextToUpdate)
        return 0;
    ZSTD_updateTree_internal(ms, ip, iHighLimit, mls, dictMode);
    return ZSTD_insertBtAndGetAllMatches(matches, ms, nextToUpdate3, ip, iHighLimit, dictMode, rep, ll0, lengthToBeat, mls);
}
static U32 ZSTD_btGetAllMatches_noDict_3( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_noDict, 3); } static U32 ZSTD_btGetAllMatches_noDict_4( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_noDict, 4); } static U32 ZSTD_btGetAllMatches_noDict_5( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_noDict, 5); } static U32 ZSTD_btGetAllMatches_noDict_6( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_noDict, 6); }
static U32 ZSTD_btGetAllMatches_extDict_3( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_extDict, 3); } static U32 ZSTD_btGetAllMatches_extDict_4( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_extDict, 4); } static U32 ZSTD_btGetAllMatches_extDict_5( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_extDict, 5); } static U32 ZSTD_btGetAllMatches_extDict_6( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_extDict, 6); }
static U32 ZSTD_btGetAllMatches_dictMatchState_3( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_dictMatchState, 3); } static U32 ZSTD_btGetAllMatches_dictMatchState_4( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_dictMatchState, 4); } static U32 ZSTD_btGetAllMatches_dictMatchState_5( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_dictMatchState, 5); } static U32 ZSTD_btGetAllMatches_dictMatchState_6( ZSTD_match_t* matches, ZSTD_MatchState_t* ms, U32* nextToUpdate3, const BYTE* ip, const BYTE* const iHighLimit, const U32 rep[3], U32 const ll0, U32 const lengthToBeat) { return ZSTD_btGetAllMatches_internal( matches, ms, nextToUpdate3, ip, iHighLimit, rep, ll0, lengthToBeat, ZSTD_dictMatchState, 6); }
static ZSTD_getAllMatchesFn
ZSTD_selectBtGetAllMatches(ZSTD_MatchState_t const* ms, ZSTD_dictMode_e const dictMode)
{
    ZSTD_getAllMatchesFn const getAllMatchesFns[3][4] = {
        { ZSTD_btGetAllMatches_noDict_3, ZSTD_btGetAllMatches_noDict_4, ZSTD_btGetAllMatches_noDict_5, ZSTD_btGetAllMatches_noDict_6 },
        { ZSTD_btGetAllMatches_extDict_3, ZSTD_btGetAllMatches_extDict_4, ZSTD_btGetAllMatches_extDict_5, ZSTD_btGetAllMatches_extDict_6 },
        { ZSTD_btGetAllMatches_dictMatchState_3, ZSTD_btGetAllMatches_dictMatchState_4, ZSTD_btGetAllMatches_dictMatchState_5, ZSTD_btGetAllMatches_dictMatchState_6 }
    };
    U32 const mls = (((3)>(((ms->cParams.minMatch)<(6) ? (ms->cParams.minMatch) : (6))) ? (3) : (((ms->cParams.minMatch)<(6) ? (ms->cParams.minMatch) : (6)))));
    ((void)0);
    ((void)0);
    return getAllMatchesFns[(int)dictMode][mls - 3];
}
typedef struct {
    RawSeqStore_t seqStore;
    U32 startPosInBlock;
    U32 endPosInBlock;
    U32 offset;
} ZSTD_optLdm_t;
static void ZSTD_optLdm_skipRawSeqStoreBytes(RawSeqStore_t* rawSeqStore, size_t nbBytes)
{
    U32 currPos = (U32)(rawSeqStore->posInSequence + nbBytes);
    while (currPos && rawSeqStore->pos < rawSeqStore->size) {
        rawSeq currSeq = rawSeqStore->seq[rawSeqStore->pos];
        if (currPos >= currSeq.litLength + currSeq.matchLength) {
            currPos -= currSeq.litLength + currSeq.matchLength;
            rawSeqStore->pos++;
        } else {
            rawSeqStore->posInSequence = currPos;
            break;
        }
    }
    if (currPos == 0 || rawSeqStore->pos == rawSeqStore->size) {
        rawSeqStore->posInSequence = 0;
    }
}
static void
ZSTD_opt_getNextMatchAndUpdateSeqStore(ZSTD_optLdm_t* optLdm, U32 currPosInBlock,
                                       U32 blockBytesRemaining)
{
    rawSeq currSeq;
    U32 currBlockEndPos;
    U32 literalsBytesRemaining;
    U32 matchBytesRemaining;
    if (optLdm->seqStore.size == 0 || optLdm->seqStore.pos >= optLdm->seqStore.size) {
        optLdm->startPosInBlock = 4294967295u;
        optLdm->endPosInBlock = 4294967295u;
        return;
    }
    currSeq = optLdm->seqStore.seq[optLdm->seqStore.pos];
    ((void)0);
    currBlockEndPos = currPosInBlock + blockBytesRemaining;
    literalsBytesRemaining = (optLdm->seqStore.posInSequence < currSeq.litLength) ?
            currSeq.litLength - (U32)optLdm->seqStore.posInSequence :
            0;
    matchBytesRemaining = (literalsBytesRemaining == 0) ?
            currSeq.matchLength - ((U32)optLdm->seqStore.posInSequence - currSeq.litLength) :
            currSeq.matchLength;
    if (literalsBytesRemaining >= blockBytesRemaining) {
        optLdm->startPosInBlock = 4294967295u;
        optLdm->endPosInBlock = 4294967295u;
        ZSTD_optLdm_skipRawSeqStoreBytes(&optLdm->seqStore, blockBytesRemaining);
        return;
    }
    optLdm->startPosInBlock = currPosInBlock + literalsBytesRemaining;
    optLdm->endPosInBlock = optLdm->startPosInBlock + matchBytesRemaining;
    optLdm->offset = currSeq.offset;
    if (optLdm->endPosInBlock > currBlockEndPos) {
        optLdm->endPosInBlock = currBlockEndPos;
        ZSTD_optLdm_skipRawSeqStoreBytes(&optLdm->seqStore, currBlockEndPos - currPosInBlock);
    } else {
        ZSTD_optLdm_skipRawSeqStoreBytes(&optLdm->seqStore, literalsBytesRemaining + matchBytesRemaining);
    }
}
static void ZSTD_optLdm_maybeAddMatch(ZSTD_match_t* matches, U32* nbMatches,
                                      const ZSTD_optLdm_t* optLdm, U32 currPosInBlock,
                                      U32 minMatch)
{
    U32 const posDiff = currPosInBlock - optLdm->startPosInBlock;
    U32 const candidateMatchLength = optLdm->endPosInBlock - optLdm->startPosInBlock - posDiff;
    if (currPosInBlock < optLdm->startPosInBlock
      || currPosInBlock >= optLdm->endPosInBlock
      || candidateMatchLength < minMatch) {
        return;
    }
    if (*nbMatches == 0 || ((candidateMatchLength > matches[*nbMatches-1].len) && *nbMatches < (1<<12))) {
        U32 const candidateOffBase = (((void)0), optLdm->offset + 3);
        do { } while (0);
        matches[*nbMatches].len = candidateMatchLength;
        matches[*nbMatches].off = candidateOffBase;
        (*nbMatches)++;
    }
}
static void
ZSTD_optLdm_processMatchCandidate(ZSTD_optLdm_t* optLdm,
                                  ZSTD_match_t* matches, U32* nbMatches,
                                  U32 currPosInBlock, U32 remainingBytes,
                                  U32 minMatch)
{
    if (optLdm->seqStore.size == 0 || optLdm->seqStore.pos >= optLdm->seqStore.size) {
        return;
    }
    if (currPosInBlock >= optLdm->endPosInBlock) {
        if (currPosInBlock > optLdm->endPosInBlock) {
            U32 const posOvershoot = currPosInBlock - optLdm->endPosInBlock;
            ZSTD_optLdm_skipRawSeqStoreBytes(&optLdm->seqStore, posOvershoot);
        }
        ZSTD_opt_getNextMatchAndUpdateSeqStore(optLdm, currPosInBlock, remainingBytes);
    }
    ZSTD_optLdm_maybeAddMatch(matches, nbMatches, optLdm, currPosInBlock, minMatch);
}
static inline __attribute__((always_inline)) __attribute__((unused))
__attribute__((no_sanitize("pointer-overflow")))
size_t
ZSTD_compressBlock_opt_generic(ZSTD_MatchState_t* ms,
                               SeqStore_t* seqStore,
                               U32 rep[3],
                         const void* src, size_t srcSize,
                         const int optLevel,
                         const ZSTD_dictMode_e dictMode)
{
    optState_t* const optStatePtr = &ms->opt;
    const BYTE* const istart = (const BYTE*)src;
    const BYTE* ip = istart;
    const BYTE* anchor = istart;
    const BYTE* const iend = istart + srcSize;
    const BYTE* const ilimit = iend - 8;
    const BYTE* const base = ms->window.base;
    const BYTE* const prefixStart = base + ms->window.dictLimit;
    const ZSTD_compressionParameters* const cParams = &ms->cParams;
    ZSTD_getAllMatchesFn getAllMatches = ZSTD_selectBtGetAllMatches(ms, dictMode);
    U32 const sufficient_len = ((cParams->targetLength)<((1<<12) -1) ? (cParams->targetLength) : ((1<<12) -1));
    U32 const minMatch = (cParams->minMatch == 3) ? 3 : 4;
    U32 nextToUpdate3 = ms->nextToUpdate;
    ZSTD_optimal_t* const opt = optStatePtr->priceTable;
    ZSTD_match_t* const matches = optStatePtr->matchTable;
    ZSTD_optimal_t lastStretch;
    ZSTD_optLdm_t optLdm;
    __builtin_memset((&lastStretch),(0),(sizeof(ZSTD_optimal_t)));
    optLdm.seqStore = ms->ldmSeqStore ? *ms->ldmSeqStore : kNullRawSeqStore;
    optLdm.endPosInBlock = optLdm.startPosInBlock = optLdm.offset = 0;
    ZSTD_opt_getNextMatchAndUpdateSeqStore(&optLdm, (U32)(ip-istart), (U32)(iend-ip));
    do { } while (0);
    ((void)0);
    ZSTD_rescaleFreqs(optStatePtr, (const BYTE*)src, srcSize, optLevel);
    ip += (ip==prefixStart);
    while (ip < ilimit) {
        U32 cur, last_pos = 0;
        { U32 const litlen = (U32)(ip - anchor);
            U32 const ll0 = !litlen;
            U32 nbMatches = getAllMatches(matches, ms, &nextToUpdate3, ip, iend, rep, ll0, minMatch);
            ZSTD_optLdm_processMatchCandidate(&optLdm, matches, &nbMatches,
                                              (U32)(ip-istart), (U32)(iend-ip),
                                              minMatch);
            if (!nbMatches) {
                do { } while (0);
                ip++;
                continue;
            }
            opt[0].mlen = 0;
            opt[0].litlen = litlen;
            opt[0].price = (int)ZSTD_litLengthPrice(litlen, optStatePtr, optLevel);
            (void)sizeof(char[(sizeof(opt[0].rep[0]) == sizeof(rep[0])) ? 1 : -1]);
            __builtin_memcpy((&opt[0].rep),(rep),(sizeof(opt[0].rep)));
            { U32 const maxML = matches[nbMatches-1].len;
                U32 const maxOffBase = matches[nbMatches-1].off;
                do { } while (0);
                if (maxML > sufficient_len) {
                    lastStretch.litlen = 0;
                    lastStretch.mlen = maxML;
                    lastStretch.off = maxOffBase;
                    do { } while (0);
                    cur = 0;
                    last_pos = maxML;
                    goto _shortestPath;
            } }
            ((void)0);
            { U32 pos;
                U32 matchNb;
                for (pos = 1; pos < minMatch; pos++) {
                    opt[pos].price = (1<<30);
                    opt[pos].mlen = 0;
                    opt[pos].litlen = litlen + pos;
                }
                for (matchNb = 0; matchNb < nbMatches; matchNb++) {
                    U32 const offBase = matches[matchNb].off;
                    U32 const end = matches[matchNb].len;
                    for ( ; pos <= end ; pos++ ) {
                        int const matchPrice = (int)ZSTD_getMatchPrice(offBase, pos, optStatePtr, optLevel);
                        int const sequencePrice = opt[0].price + matchPrice;
                        do { } while (0);
                        opt[pos].mlen = pos;
                        opt[pos].off = offBase;
                        opt[pos].litlen = 0;
                        opt[pos].price = sequencePrice + (int)ZSTD_litLengthPrice(0, optStatePtr, optLevel);
                    }
                }
                last_pos = pos-1;
                opt[pos].price = (1<<30);
            }
        }
        for (cur = 1; cur <= last_pos; cur++) {
            const BYTE* const inr = ip + cur;
            ((void)0);
            do { } while (0);
            { U32 const litlen = opt[cur-1].litlen + 1;
                int const price = opt[cur-1].price
                                + (int)ZSTD_rawLiteralsCost(ip+cur-1, 1, optStatePtr, optLevel)
                                + ((int)ZSTD_litLengthPrice(litlen, optStatePtr, optLevel) - (int)ZSTD_litLengthPrice(litlen-1, optStatePtr, optLevel));
                ((void)0);
                if (price <= opt[cur].price) {
                    ZSTD_optimal_t const prevMatch = opt[cur];
                    do { } while (0);
                    opt[cur] = opt[cur-1];
                    opt[cur].litlen = litlen;
                    opt[cur].price = price;
                    if ( (optLevel >= 1)
                      && (prevMatch.litlen == 0)
                      && (((int)ZSTD_litLengthPrice(1, optStatePtr, optLevel) - (int)ZSTD_litLengthPrice(1 -1, optStatePtr, optLevel)) < 0)
                      && (__builtin_expect((ip + cur < iend), 1))
                    ) {
                        int with1literal = prevMatch.price + (int)ZSTD_rawLiteralsCost(ip+cur, 1, optStatePtr, optLevel) + ((int)ZSTD_litLengthPrice(1, optStatePtr, optLevel) - (int)ZSTD_litLengthPrice(1 -1, optStatePtr, optLevel));
                        int withMoreLiterals = price + (int)ZSTD_rawLiteralsCost(ip+cur, 1, optStatePtr, optLevel) + ((int)ZSTD_litLengthPrice(litlen+1, optStatePtr, optLevel) - (int)ZSTD_litLengthPrice(litlen+1 -1, optStatePtr, optLevel));
                        do { } while (0);
                        if ( (with1literal < withMoreLiterals)
                          && (with1literal < opt[cur+1].price) ) {
                            U32 const prev = cur - prevMatch.mlen;
                            Repcodes_t const newReps = ZSTD_newRep(opt[prev].rep, prevMatch.off, opt[prev].litlen==0);
                            ((void)0);
                            do { } while (0);
                            opt[cur+1] = prevMatch;
                            __builtin_memcpy((opt[cur+1].rep),(&newReps),(sizeof(Repcodes_t)));
                            opt[cur+1].litlen = 1;
                            opt[cur+1].price = with1literal;
                            if (last_pos < cur+1) last_pos = cur+1;
                        }
                    }
                } else {
                    do { } while (0);
                }
            }
            (void)sizeof(char[(sizeof(opt[cur].rep) == sizeof(Repcodes_t)) ? 1 : -1]);
            ((void)0);
            if (opt[cur].litlen == 0) {
                U32 const prev = cur - opt[cur].mlen;
                Repcodes_t const newReps = ZSTD_newRep(opt[prev].rep, opt[cur].off, opt[prev].litlen==0);
                __builtin_memcpy((opt[cur].rep),(&newReps),(sizeof(Repcodes_t)));
            }
            if (inr > ilimit) continue;
            if (cur == last_pos) break;
            if ( (optLevel==0)
              && (opt[cur+1].price <= opt[cur].price + ((1 << 8)/2)) ) {
                do { } while (0);
                continue;
            }
            ((void)0);
            { U32 const ll0 = (opt[cur].litlen == 0);
                int const previousPrice = opt[cur].price;
                int const basePrice = previousPrice + (int)ZSTD_litLengthPrice(0, optStatePtr, optLevel);
                U32 nbMatches = getAllMatches(matches, ms, &nextToUpdate3, inr, iend, opt[cur].rep, ll0, minMatch);
                U32 matchNb;
                ZSTD_optLdm_processMatchCandidate(&optLdm, matches, &nbMatches,
                                                  (U32)(inr-istart), (U32)(iend-inr),
                                                  minMatch);
                if (!nbMatches) {
                    do { } while (0);
                    continue;
                }
                { U32 const longestML = matches[nbMatches-1].len;
                    do { } while (0);
                    if ( (longestML > sufficient_len)
                      || (cur + longestML >= (1<<12))
                      || (ip + cur + longestML >= iend) ) {
                        lastStretch.mlen = longestML;
                        lastStretch.off = matches[nbMatches-1].off;
                        lastStretch.litlen = 0;
                        last_pos = cur + longestML;
                        goto _shortestPath;
                } }
                for (matchNb = 0; matchNb < nbMatches; matchNb++) {
                    U32 const offset = matches[matchNb].off;
                    U32 const lastML = matches[matchNb].len;
                    U32 const startML = (matchNb>0) ? matches[matchNb-1].len+1 : minMatch;
                    U32 mlen;
                    do { } while (0);
                    for (mlen = lastML; mlen >= startML; mlen--) {
                        U32 const pos = cur + mlen;
                        int const price = basePrice + (int)ZSTD_getMatchPrice(offset, mlen, optStatePtr, optLevel);
                        if ((pos > last_pos) || (price < opt[pos].price)) {
                            do { } while (0);
                            while (last_pos < pos) {
                                last_pos++;
                                opt[last_pos].price = (1<<30);
                                opt[last_pos].litlen = !0;
                            }
                            opt[pos].mlen = mlen;
                            opt[pos].off = offset;
                            opt[pos].litlen = 0;
                            opt[pos].price = price;
                        } else {
                            do { } while (0);
                            if (optLevel==0) break;
                        }
            } } }
            opt[last_pos+1].price = (1<<30);
        }
        lastStretch = opt[last_pos];
        ((void)0);
        cur = last_pos - lastStretch.mlen;
_shortestPath:
        ((void)0);
        ((void)0);
        ((void)0);
        if (lastStretch.mlen==0) {
            ((void)0);
            ip += last_pos;
            continue;
        }
        ((void)0);
        if (lastStretch.litlen == 0) {
            Repcodes_t const reps = ZSTD_newRep(opt[cur].rep, lastStretch.off, opt[cur].litlen==0);
            __builtin_memcpy((rep),(&reps),(sizeof(Repcodes_t)));
        } else {
            __builtin_memcpy((rep),(lastStretch.rep),(sizeof(Repcodes_t)));
            ((void)0);
            cur -= lastStretch.litlen;
        }
        { U32 const storeEnd = cur + 2;
            U32 storeStart = storeEnd;
            U32 stretchPos = cur;
            do { } while (0); (void)last_pos;
            ((void)0);
            do { } while (0);
            if (lastStretch.litlen > 0) {
                opt[storeEnd].litlen = lastStretch.litlen;
                opt[storeEnd].mlen = 0;
                storeStart = storeEnd-1;
                opt[storeStart] = lastStretch;
            } {
                opt[storeEnd] = lastStretch;
                storeStart = storeEnd;
            }
            while (1) {
                ZSTD_optimal_t nextStretch = opt[stretchPos];
                opt[storeStart].litlen = nextStretch.litlen;
                do { } while (0);
                if (nextStretch.mlen == 0) {
                    break;
                }
                storeStart--;
                opt[storeStart] = nextStretch;
                ((void)0);
                stretchPos -= nextStretch.litlen + nextStretch.mlen;
            }
            do { } while (0);
            { U32 storePos;
                for (storePos=storeStart; storePos <= storeEnd; storePos++) {
                    U32 const llen = opt[storePos].litlen;
                    U32 const mlen = opt[storePos].mlen;
                    U32 const offBase = opt[storePos].off;
                    U32 const advance = llen + mlen;
                    do { } while (0);
                    if (mlen==0) {
                        ((void)0);
                        ip = anchor + llen;
                        continue;
                    }
                    ((void)0);
                    ZSTD_updateStats(optStatePtr, llen, anchor, offBase, mlen);
                    ZSTD_storeSeq(seqStore, llen, anchor, iend, offBase, mlen);
                    anchor += advance;
                    ip = anchor;
            } }
            do { } while (0);
            ZSTD_setBasePrices(optStatePtr, optLevel);
        }
    }
    return (size_t)(iend - anchor);
}
static size_t ZSTD_compressBlock_opt0(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize, const ZSTD_dictMode_e dictMode)
{
    return ZSTD_compressBlock_opt_generic(ms, seqStore, rep, src, srcSize, 0 , dictMode);
}
static size_t ZSTD_compressBlock_opt2(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize, const ZSTD_dictMode_e dictMode)
{
    return ZSTD_compressBlock_opt_generic(ms, seqStore, rep, src, srcSize, 2 , dictMode);
}
size_t ZSTD_compressBlock_btopt(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize)
{
    do { } while (0);
    return ZSTD_compressBlock_opt0(ms, seqStore, rep, src, srcSize, ZSTD_noDict);
}
static
__attribute__((no_sanitize("pointer-overflow")))
void ZSTD_initStats_ultra(ZSTD_MatchState_t* ms,
                          SeqStore_t* seqStore,
                          U32 rep[3],
                    const void* src, size_t srcSize)
{
    U32 tmpRep[3];
    __builtin_memcpy((tmpRep),(rep),(sizeof(tmpRep)));
    do { } while (0);
    ((void)0);
    ((void)0);
    ((void)0);
    ((void)0);
    ZSTD_compressBlock_opt2(ms, seqStore, tmpRep, src, srcSize, ZSTD_noDict);
    ZSTD_resetSeqStore(seqStore);
    ms->window.base -= srcSize;
    ms->window.dictLimit += (U32)srcSize;
    ms->window.lowLimit = ms->window.dictLimit;
    ms->nextToUpdate = ms->window.dictLimit;
}
size_t ZSTD_compressBlock_btultra(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize)
{
    do { } while (0);
    return ZSTD_compressBlock_opt2(ms, seqStore, rep, src, srcSize, ZSTD_noDict);
}
size_t ZSTD_compressBlock_btultra2(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize)
{
    U32 const curr = (U32)((const BYTE*)src - ms->window.base);
    do { } while (0);
    ((void)0);
    if ( (ms->opt.litLengthSum==0)
      && (seqStore->sequences == seqStore->sequencesStart)
      && (ms->window.dictLimit == ms->window.lowLimit)
      && (curr == ms->window.dictLimit)
      && (srcSize > 8)
      ) {
        ZSTD_initStats_ultra(ms, seqStore, rep, src, srcSize);
    }
    return ZSTD_compressBlock_opt2(ms, seqStore, rep, src, srcSize, ZSTD_noDict);
}
size_t ZSTD_compressBlock_btopt_dictMatchState(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize)
{
    return ZSTD_compressBlock_opt0(ms, seqStore, rep, src, srcSize, ZSTD_dictMatchState);
}
size_t ZSTD_compressBlock_btopt_extDict(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize)
{
    return ZSTD_compressBlock_opt0(ms, seqStore, rep, src, srcSize, ZSTD_extDict);
}
size_t ZSTD_compressBlock_btultra_dictMatchState(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize)
{
    return ZSTD_compressBlock_opt2(ms, seqStore, rep, src, srcSize, ZSTD_dictMatchState);
}
size_t ZSTD_compressBlock_btultra_extDict(
        ZSTD_MatchState_t* ms, SeqStore_t* seqStore, U32 rep[3],
        const void* src, size_t srcSize)
{
    return ZSTD_compressBlock_opt2(ms, seqStore, rep, src, srcSize, ZSTD_extDict);
}
