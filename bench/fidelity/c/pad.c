/* Moves the code that is linked after it by PAD_BYTES: loops fall otherwise into cache lines. */
#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)

__asm__(".text\n.skip " TEXT(PAD_BYTES) "\n");
