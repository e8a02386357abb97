/* A table that the compiler computes, and functions that read it. */

#define SCALE 3
#define STEP(n) ((((n) * 2654435761u) ^ ((n) >> 3)) * SCALE)
#define FOUR(n) STEP((n)), STEP((n) + 1u), STEP((n) + 2u), STEP((n) + 3u)
#define SIXTEEN(n) FOUR((n)), FOUR((n) + 4u), FOUR((n) + 8u), FOUR((n) + 12u)

/* A mark by which it is found in the object, and 64 values. */
const unsigned table[] = {
    0x657a6973u, 0x61207075u, 0x746e6567u, 0x3a3a3a73u,
    SIXTEEN(1u), SIXTEEN(17u), SIXTEEN(33u), SIXTEEN(49u),
};

static unsigned at(unsigned n)
{
    return table[4u + n % 64u];
}

unsigned mix(const unsigned char *bytes, unsigned long count)
{
    unsigned sum = 0;
    unsigned long i;
    for (i = 0; i < count; i++)
        sum = (sum << 5 | sum >> 27) ^ at(bytes[i] + sum);
    return sum;
}

unsigned long find(const unsigned *values, unsigned long count, unsigned value)
{
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sort(unsigned *values, unsigned long count)
{
    unsigned long i, j;
    for (i = 1; i < count; i++) {
        unsigned value = values[i];
        for (j = i; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

unsigned long words(const char *text, unsigned long *longest)
{
    unsigned long count = 0, length = 0;
    *longest = 0;
    for (; *text; text++) {
        switch (*text) {
        case ' ': case '\n': case '\t':
            length = 0;
            break;
        default:
            if (!length++)
                count++;
            if (length > *longest)
                *longest = length;
        }
    }
    return count;
}
