/* TLS 1.3 handshakes in memory by OpenSSL without sizeup, as a program of one's own would do them: both sides on one thread, from
 * two new connections to "both done", freed again. The terms are those of workers/cryptography/src/tls.rs. */
#include "stretch.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

enum { TURNS = 3 };

struct job {
    SSL_CTX *server, *client;
    SSL_SESSION *session;
    const char *group;
    int is_resumed;
};

static int failed(const char *what)
{
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    return 1;
}

/* Whether a call failed only for lack of data. */
static int waits(SSL *ssl, int status)
{
    return SSL_get_error(ssl, status) == SSL_ERROR_WANT_READ;
}

static int is_agreed(const struct job *job, SSL *ssl)
{
    return SSL_version(ssl) == TLS1_3_VERSION && strcmp(SSL_get_cipher(ssl), "TLS_AES_128_GCM_SHA256") == 0
           && strcasecmp(SSL_get0_group_name(ssl), job->group) == 0 && SSL_session_reused(ssl) == job->is_resumed;
}

static int handshake(void *state)
{
    struct job *job = state;
    BIO *to_server = BIO_new(BIO_s_mem()), *to_client = BIO_new(BIO_s_mem());
    SSL *server = SSL_new(job->server), *client = SSL_new(job->client);
    int turn, client_status = 0, server_status = 0, status = 1;
    char byte;
    BIO_up_ref(to_server);
    BIO_up_ref(to_client);
    SSL_set_bio(server, to_server, to_client);
    SSL_set_bio(client, to_client, to_server);
    SSL_set_accept_state(server);
    SSL_set_connect_state(client);
    SSL_set_tlsext_host_name(client, "localhost");
    if (job->session != NULL)
        SSL_set_session(client, job->session);
    for (turn = 0; turn < TURNS && !(client_status == 1 && server_status == 1); turn++) {
        client_status = SSL_do_handshake(client);
        if (client_status != 1 && !waits(client, client_status))
            return failed("the client can't go on");
        server_status = SSL_do_handshake(server);
        if (server_status != 1 && !waits(server, server_status))
            return failed("the server can't go on");
    }
    if (client_status == 1 && server_status == 1 && (job->session == NULL || is_agreed(job, client))
        && SSL_get_verify_result(client) == X509_V_OK && (job->is_resumed || is_agreed(job, server)))
        status = 0;
    if (job->is_resumed) {
        if (!waits(client, SSL_read(client, &byte, 1)))
            return failed("there is no ticket");
        SSL_SESSION_free(job->session);
        job->session = SSL_get1_session(client);
    }
    SSL_set_shutdown(server, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_set_shutdown(client, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(server);
    SSL_free(client);
    return status == 0 ? 0 : failed("another handshake than expected");
}

static SSL_CTX *context(const SSL_METHOD *method, const struct job *job)
{
    SSL_CTX *made = SSL_CTX_new(method);
    if (made == NULL || SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION) != 1
        || SSL_CTX_set_ciphersuites(made, "TLS_AES_128_GCM_SHA256") != 1 || SSL_CTX_set1_groups_list(made, job->group) != 1)
        exit(failed("a context can't be made"));
    SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
    if (!job->is_resumed)
        SSL_CTX_set_options(made, SSL_OP_NO_TICKET);
    return made;
}

int main(int count, char **arguments)
{
    static struct job job;
    FILE *identity;
    EVP_PKEY *key;
    X509 *leaf, *intermediate, *root;
    if (count != 6 || (strcmp(arguments[2], "full") != 0 && strcmp(arguments[2], "resumed") != 0)) {
        fprintf(stderr, "usage: %s GROUP full|resumed IDENTITY WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    job.group = arguments[1];
    job.is_resumed = strcmp(arguments[2], "resumed") == 0;
    identity = fopen(arguments[3], "r");
    if (identity == NULL)
        return failed(arguments[3]);
    key = PEM_read_PrivateKey(identity, NULL, NULL, NULL);
    leaf = PEM_read_X509(identity, NULL, NULL, NULL);
    intermediate = PEM_read_X509(identity, NULL, NULL, NULL);
    root = PEM_read_X509(identity, NULL, NULL, NULL);
    fclose(identity);
    job.server = context(TLS_server_method(), &job);
    job.client = context(TLS_client_method(), &job);
    SSL_CTX_set_num_tickets(job.server, (size_t)job.is_resumed);
    SSL_CTX_set_verify(job.client, SSL_VERIFY_PEER, NULL);
    if (key == NULL || root == NULL || SSL_CTX_use_PrivateKey(job.server, key) != 1
        || SSL_CTX_use_certificate(job.server, leaf) != 1 || SSL_CTX_add_extra_chain_cert(job.server, intermediate) != 1
        || X509_STORE_add_cert(SSL_CTX_get_cert_store(job.client), root) != 1
        || X509_VERIFY_PARAM_set1_host(SSL_CTX_get0_param(job.client), "localhost", 0) != 1)
        return failed("the identity can't be used");
    if (job.is_resumed && handshake(&job) != 0)
        return 1;
    live_in_allocator();
    return time_stretch(OpenSSL_version(OPENSSL_VERSION), handshake, &job, number("WARM_UP_NS", arguments[4]),
                        number("SAMPLE_NS", arguments[5]));
}
