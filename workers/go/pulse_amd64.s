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

// func chainClock(rounds int64)
TEXT ·chainClock(SB), NOSPLIT, $0-8
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
	RET

// func fillWidth(rounds int64)
TEXT ·fillWidth(SB), NOSPLIT, $0-8
	MOVQ rounds+0(FP), R11
	MOVQ $3, R10

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
	RET
