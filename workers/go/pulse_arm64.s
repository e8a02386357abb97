#include "textflag.h"

// Ten links of the chain: each needs the result before it.
#define CHAIN10 \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0; \
	EOR R1, R0, R0

// One addition to each of eight registers, none of which needs another's sum.
#define ADD8 \
	ADD R8, R0, R0; \
	ADD R8, R1, R1; \
	ADD R8, R2, R2; \
	ADD R8, R3, R3; \
	ADD R8, R4, R4; \
	ADD R8, R5, R5; \
	ADD R8, R6, R6; \
	ADD R8, R7, R7

// func chainClock(rounds int64)
TEXT ·chainClock(SB), NOSPLIT, $0-8
	MOVD rounds+0(FP), R9
	MOVD $1, R0
	MOVD $3, R1

	PCALIGN $64

chain:
	CHAIN10
	CHAIN10
	CHAIN10
	CHAIN10
	SUB  $1, R9
	CBNZ R9, chain
	RET

// func fillWidth(rounds int64)
TEXT ·fillWidth(SB), NOSPLIT, $0-8
	MOVD rounds+0(FP), R9
	MOVD $3, R8

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
	SUB  $1, R9
	CBNZ R9, fill
	RET
