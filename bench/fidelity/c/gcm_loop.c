/* AES-GCM of the system's OpenSSL without sizeup: one context, its key set once, and 16 KiB more of one message
 * encrypted in place by each op. `openssl speed` did just that until 3.0.15; since then it begins and ends a
 * message in each op, which is what "message" does here. */
#include "stretch.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 16384, NONCE_BYTES = 12, TAG_BYTES = 16 };

struct job {
    EVP_CIPHER_CTX *context;
    unsigned char nonce[NONCE_BYTES];
    unsigned char buffer[BYTES];
};

static int encrypt_more(void *state)
{
    struct job *job = state;
    int made;
    if (EVP_EncryptUpdate(job->context, job->buffer, &made, job->buffer, BYTES) != 1 || made != BYTES) {
        fputs("EVP_EncryptUpdate failed\n", stderr);
        return 1;
    }
    return 0;
}

static int encrypt_message(void *state)
{
    struct job *job = state;
    int made;
    if (EVP_EncryptInit_ex(job->context, NULL, NULL, NULL, job->nonce) != 1 || encrypt_more(job) != 0
        || EVP_EncryptFinal_ex(job->context, job->buffer, &made) != 1) {
        fputs("a message can't be made\n", stderr);
        return 1;
    }
    return 0;
}

/* Seals the bytes 00 01 … ff 00 … and leaves the context ready for another message. */
static int known_tag_is_right(struct job *job, const char *known)
{
    unsigned char tag[TAG_BYTES];
    char text[2 * TAG_BYTES + 1];
    int i;
    for (i = 0; i < BYTES; i++)
        job->buffer[i] = (unsigned char)i;
    if (encrypt_message(job) != 0 || EVP_CIPHER_CTX_ctrl(job->context, EVP_CTRL_AEAD_GET_TAG, TAG_BYTES, tag) != 1)
        return 0;
    for (i = 0; i < TAG_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", tag[i]);
    job->nonce[NONCE_BYTES - 1] = 1;
    return strcmp(text, known) == 0 && EVP_EncryptInit_ex(job->context, NULL, NULL, NULL, job->nonce) == 1;
}

int main(int count, char **arguments)
{
    static struct job job;
    unsigned char key[32];
    const EVP_CIPHER *cipher;
    const char *known;
    int i, is_128, is_message;
    is_128 = count == 5 && strcmp(arguments[1], "128") == 0;
    is_message = count == 5 && strcmp(arguments[2], "message") == 0;
    if (count != 5 || (!is_128 && strcmp(arguments[1], "256") != 0)
        || (!is_message && strcmp(arguments[2], "more") != 0)) {
        fprintf(stderr, "usage: %s 128|256 more|message WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    cipher = is_128 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
    /* Made by Go's crypto/cipher. */
    known = is_128 ? "a3613662a1845bb061575f9a41c4da0d" : "3a8cc479be7ce6c0909c79a53c7f44df";
    for (i = 0; i < (int)sizeof key; i++)
        key[i] = (unsigned char)i;
    job.context = EVP_CIPHER_CTX_new();
    if (job.context == NULL || EVP_EncryptInit_ex(job.context, cipher, NULL, key, NULL) != 1
        || !known_tag_is_right(&job, known)) {
        fputs("the tag is not the known one\n", stderr);
        return 1;
    }
    return time_stretch(OpenSSL_version(OPENSSL_VERSION), is_message ? encrypt_message : encrypt_more, &job,
                        number("WARM_UP_NS", arguments[3]), number("SAMPLE_NS", arguments[4]));
}
