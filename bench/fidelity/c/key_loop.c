/* Single keys of OpenSSL without sizeup, as `openssl speed` of the same version times them (apps/speed.c): a context for each
 * operation, initialised once; before each EdDSA, ML-DSA and SLH-DSA signature again. */
#include "stretch.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGES = 64, LONGEST = 17088 };

struct job {
    EVP_PKEY_CTX *context;
    EVP_MD_CTX *whole;
    unsigned char messages[MESSAGES][36];
    size_t message_bytes, next, messages_used;
    unsigned char made[MESSAGES][LONGEST];
    size_t made_bytes[MESSAGES];
    unsigned char secret[64];
    size_t secret_bytes;
};

static int told(int status)
{
    if (status == 1)
        return 0;
    ERR_print_errors_fp(stderr);
    return 1;
}

static int keygen(void *state)
{
    struct job *job = state;
    EVP_PKEY *key = NULL;
    int status = EVP_PKEY_keygen(job->context, &key);
    EVP_PKEY_free(key);
    return told(status);
}

static int encaps(void *state)
{
    struct job *job = state;
    job->made_bytes[0] = LONGEST;
    return told(EVP_PKEY_encapsulate(job->context, job->made[0], job->made_bytes, job->secret, &job->secret_bytes));
}

static int decaps(void *state)
{
    struct job *job = state;
    return told(EVP_PKEY_decapsulate(job->context, job->secret, &job->secret_bytes, job->made[0], job->made_bytes[0]));
}

static int derive(void *state)
{
    struct job *job = state;
    job->secret_bytes = sizeof job->secret;
    return told(EVP_PKEY_derive(job->context, job->secret, &job->secret_bytes));
}

static size_t turn(struct job *job)
{
    size_t at = job->next;
    job->next = (at + 1) % job->messages_used;
    return at;
}

static int sign(void *state)
{
    struct job *job = state;
    size_t at = turn(job);
    job->made_bytes[at] = LONGEST;
    if (job->whole == NULL)
        return told(EVP_PKEY_sign(job->context, job->made[at], job->made_bytes + at, job->messages[at], job->message_bytes));
    return told(EVP_DigestSignInit(job->whole, NULL, NULL, NULL, NULL))
           || told(EVP_DigestSign(job->whole, job->made[at], job->made_bytes + at, job->messages[at], job->message_bytes));
}

static int verify(void *state)
{
    struct job *job = state;
    size_t at = turn(job);
    if (job->whole == NULL)
        return told(EVP_PKEY_verify(job->context, job->made[at], job->made_bytes[at], job->messages[at], job->message_bytes));
    return told(EVP_DigestVerifyInit(job->whole, NULL, NULL, NULL, NULL))
           || told(EVP_DigestVerify(job->whole, job->made[at], job->made_bytes[at], job->messages[at], job->message_bytes));
}

static op_function prepared(struct job *job, EVP_PKEY *key, const char *algorithm, const char *operation)
{
    int is_whole = strncmp(algorithm, "EC", 2) != 0 && strncmp(algorithm, "RSA", 3) != 0;
    size_t i;
    job->context = EVP_PKEY_CTX_new(key, NULL);
    job->message_bytes = strncmp(algorithm, "RSA", 3) == 0 ? 36 : strstr(algorithm, "DSA-") != NULL ? 32 : 20;
    job->messages_used = strcmp(algorithm, "ML-DSA-65") == 0 ? MESSAGES : 1;
    job->secret_bytes = sizeof job->secret;
    for (i = 0; i < MESSAGES; i++)
        memset(job->messages[i], (int)i + 1, sizeof job->messages[i]);
    if (strcmp(operation, "keygen") == 0) {
        job->context = EVP_PKEY_CTX_new_from_name(NULL, algorithm, NULL);
        return EVP_PKEY_keygen_init(job->context) == 1 ? keygen : NULL;
    }
    if (strcmp(operation, "derive") == 0) {
        EVP_PKEY *peer = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-384");
        return EVP_PKEY_derive_init(job->context) == 1 && EVP_PKEY_derive_set_peer(job->context, peer) == 1 ? derive : NULL;
    }
    if (strcmp(operation, "encaps") == 0)
        return EVP_PKEY_encapsulate_init(job->context, NULL) == 1 ? encaps : NULL;
    if (strcmp(operation, "decaps") == 0)
        return EVP_PKEY_encapsulate_init(job->context, NULL) == 1 && encaps(job) == 0
                       && EVP_PKEY_decapsulate_init(job->context, NULL) == 1
                   ? decaps
                   : NULL;
    if (is_whole && (job->whole = EVP_MD_CTX_new()) == NULL)
        return NULL;
    if (is_whole ? EVP_DigestSignInit(job->whole, NULL, NULL, NULL, key) != 1 : EVP_PKEY_sign_init(job->context) != 1)
        return NULL;
    if (strcmp(operation, "sign") == 0)
        return sign;
    for (i = 0; i < job->messages_used; i++)
        if (sign(job) != 0)
            return NULL;
    if (is_whole) {
        EVP_MD_CTX_free(job->whole);
        job->whole = EVP_MD_CTX_new();
        return EVP_DigestVerifyInit(job->whole, NULL, NULL, NULL, key) == 1 ? verify : NULL;
    }
    return EVP_PKEY_verify_init(job->context) == 1 ? verify : NULL;
}

int main(int count, char **arguments)
{
    static struct job job;
    EVP_PKEY *key;
    op_function op;
    if (count != 5) {
        fprintf(stderr, "usage: %s EC|RSA|ED25519|ML-KEM-768|ML-DSA-65|SLH-DSA-SHA2-128f "
                        "keygen|encaps|decaps|derive|sign|verify WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    key = strcmp(arguments[1], "EC") == 0    ? EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-384")
          : strcmp(arguments[1], "RSA") == 0 ? EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)4096)
                                             : EVP_PKEY_Q_keygen(NULL, NULL, arguments[1]);
    op = key == NULL ? NULL : prepared(&job, key, arguments[1], arguments[2]);
    if (op == NULL || op(&job) != 0) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    live_in_allocator();
    return time_stretch(OpenSSL_version(OPENSSL_VERSION), op, &job, number("WARM_UP_NS", arguments[3]),
                        number("SAMPLE_NS", arguments[4]));
}
