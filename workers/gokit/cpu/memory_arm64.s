#include "textflag.h"

// func followLines(at uintptr, rounds int64) uintptr
TEXT ·followLines(SB), NOSPLIT, $0-24
	MOVD at+0(FP), R0
	MOVD rounds+8(FP), R1

follow:
	MOVD (R0), R0
	MOVD (R0), R0
	MOVD (R0), R0
	MOVD (R0), R0
	MOVD (R0), R0
	MOVD (R0), R0
	MOVD (R0), R0
	MOVD (R0), R0
	SUB  $1, R1
	CBNZ R1, follow
	MOVD R0, ret+16(FP)
	RET

// func sumLines(at uintptr, rounds int64) uint64
TEXT ·sumLines(SB), NOSPLIT, $0-24
	MOVD at+0(FP), R0
	MOVD rounds+8(FP), R1
	MOVD ZR, R2

sum:
	MOVD (R0), R3
	MOVD 64(R0), R4
	MOVD 128(R0), R5
	MOVD 192(R0), R6
	ADD  R3, R2
	ADD  R4, R2
	ADD  R5, R2
	ADD  R6, R2
	MOVD 256(R0), R3
	MOVD 320(R0), R4
	MOVD 384(R0), R5
	MOVD 448(R0), R6
	ADD  R3, R2
	ADD  R4, R2
	ADD  R5, R2
	ADD  R6, R2
	ADD  $512, R0
	SUB  $1, R1
	CBNZ R1, sum
	MOVD R2, ret+16(FP)
	RET

// func flushLines(at uintptr, lines int64)
TEXT ·flushLines(SB), NOSPLIT, $0-16
	MOVD at+0(FP), R0
	MOVD lines+8(FP), R1

flush:
	DC   CIVAC, R0
	ADD  $64, R0
	SUB  $1, R1
	CBNZ R1, flush
	DSB  $15
	RET
