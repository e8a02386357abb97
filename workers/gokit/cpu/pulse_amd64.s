#include "textflag.h"

// Five links of the chain: each needs the product before it.
#define CHAIN5 \
	IMULL BX, AX; \
	IMULL BX, AX; \
	IMULL BX, AX; \
	IMULL BX, AX; \
	IMULL BX, AX

// One addition to each of eight registers, none of which needs another's sum.
#define ADD8 \
	ADDQ R10, AX; \
	ADDQ R10, BX; \
	ADDQ R10, CX; \
	ADDQ R10, DX; \
	ADDQ R10, SI; \
	ADDQ R10, DI; \
	ADDQ R10, R8; \
	ADDQ R10, R9

// func chainClock(rounds int64) int64
TEXT ·chainClock(SB), NOSPLIT, $0-16
	MOVQ rounds+0(FP), CX
	MOVQ $1, AX
	MOVQ $3, BX

	PCALIGN $64

chain:
	CHAIN5
	CHAIN5
	CHAIN5
	CHAIN5
	DECQ CX
	JNZ  chain
	MOVQ AX, ret+8(FP)
	RET

// func fillWidth(rounds int64) int64
TEXT ·fillWidth(SB), NOSPLIT, $0-16
	MOVQ rounds+0(FP), R11
	MOVQ $3, R10
	MOVQ $1, AX
	MOVQ $2, BX
	MOVQ $3, CX
	MOVQ $4, DX
	MOVQ $5, SI
	MOVQ $6, DI
	MOVQ $7, R8
	MOVQ $8, R9

	PCALIGN $64

fill:
	ADD8
	ADD8
	ADD8
	ADD8
	ADD8
	ADD8
	ADD8
	ADD8
	ADD8
	ADD8
	DECQ R11
	JNZ  fill
	ADDQ BX, AX
	ADDQ CX, AX
	ADDQ DX, AX
	ADDQ SI, AX
	ADDQ DI, AX
	ADDQ R8, AX
	ADDQ R9, AX
	MOVQ AX, ret+8(FP)
	RET
