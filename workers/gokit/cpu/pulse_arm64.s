#include "textflag.h"

// Five links of the chain: each needs the result before it, and flips a bit that
// no other link of a round flips, so that one too many or too few shows.
#define CHAIN5(bit) \
	EOR $(1<<(bit)), R0, R0; \
	EOR $(1<<(bit+1)), R0, R0; \
	EOR $(1<<(bit+2)), R0, R0; \
	EOR $(1<<(bit+3)), R0, R0; \
	EOR $(1<<(bit+4)), R0, R0

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

// func chainClock(rounds int64) int64
TEXT ·chainClock(SB), NOSPLIT, $0-16
	MOVD rounds+0(FP), R9
	MOVD ZR, R0

	PCALIGN $64

chain:
	CHAIN5(0)
	CHAIN5(5)
	CHAIN5(10)
	CHAIN5(15)
	CHAIN5(20)
	CHAIN5(25)
	CHAIN5(30)
	CHAIN5(35)
	SUB  $1, R9
	CBNZ R9, chain
	MOVD R0, ret+8(FP)
	RET

// func fillWidth(rounds int64) int64
TEXT ·fillWidth(SB), NOSPLIT, $0-16
	MOVD rounds+0(FP), R9
	MOVD $3, R8
	MOVD $1, R0
	MOVD $2, R1
	MOVD $3, R2
	MOVD $4, R3
	MOVD $5, R4
	MOVD $6, R5
	MOVD $7, R6
	MOVD $8, R7

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
	ADD  R1, R0
	ADD  R2, R0
	ADD  R3, R0
	ADD  R4, R0
	ADD  R5, R0
	ADD  R6, R0
	ADD  R7, R0
	MOVD R0, ret+8(FP)
	RET
