#include "textflag.h"

// func followLines(at uintptr, rounds int64) uintptr
TEXT ·followLines(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), AX
	MOVQ rounds+8(FP), CX

follow:
	MOVQ (AX), AX
	MOVQ (AX), AX
	MOVQ (AX), AX
	MOVQ (AX), AX
	MOVQ (AX), AX
	MOVQ (AX), AX
	MOVQ (AX), AX
	MOVQ (AX), AX
	DECQ CX
	JNZ  follow
	MOVQ AX, ret+16(FP)
	RET

// func sumLines(at uintptr, rounds int64) uint64
TEXT ·sumLines(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), BX
	MOVQ rounds+8(FP), CX
	XORL AX, AX

sum:
	ADDQ (BX), AX
	ADDQ 64(BX), AX
	ADDQ 128(BX), AX
	ADDQ 192(BX), AX
	ADDQ 256(BX), AX
	ADDQ 320(BX), AX
	ADDQ 384(BX), AX
	ADDQ 448(BX), AX
	ADDQ $512, BX
	DECQ CX
	JNZ  sum
	MOVQ AX, ret+16(FP)
	RET

// func flushWeakly(at uintptr, lines int64)
TEXT ·flushWeakly(SB), NOSPLIT, $0-16
	MOVQ at+0(FP), BX
	MOVQ lines+8(FP), CX

weak:
	CLFLUSHOPT (BX)
	ADDQ $64, BX
	DECQ CX
	JNZ  weak
	MFENCE
	RET

// func flushStrongly(at uintptr, lines int64)
TEXT ·flushStrongly(SB), NOSPLIT, $0-16
	MOVQ at+0(FP), BX
	MOVQ lines+8(FP), CX

strong:
	CLFLUSH (BX)
	ADDQ $64, BX
	DECQ CX
	JNZ  strong
	MFENCE
	RET

// func extendedFeatures() uint32
TEXT ·extendedFeatures(SB), NOSPLIT, $0-4
	XORL AX, AX
	CPUID
	XORL BX, BX
	CMPL AX, $7
	JLT  none
	MOVL $7, AX
	XORL CX, CX
	CPUID

none:
	MOVL BX, ret+0(FP)
	RET
