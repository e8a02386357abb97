package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"iter"
	"net"
	"time"

	"sizeup/gokit/protocol"
	"sizeup/gokit/work"
)

// TLS 1.3 handshakes in memory, as workers/cryptography/src/tls.rs defines them: both sides on one thread, from
// two new connections to "both done". The server is a coroutine that runs while the client waits for
// it, so that no scheduler has a part in it.

// handshakeGroups is the key agreements by their names in requests.
var handshakeGroups = map[string]tls.CurveID{"x25519": tls.X25519, "x25519mlkem768": tls.X25519MLKEM768}

var handshakeRanges = protocol.Ranges{
	"group":     protocol.OneOf("x25519", "x25519mlkem768"),
	"handshake": protocol.OneOf("full", "resumed"),
	"sharing":   work.Sharing(),
}

const (
	handshakeHost  = "localhost"
	exportLabel    = "EXPERIMENTAL sizeup"
	exportBytes    = 32
	passedRecord   = "sizeup sends this record each way."
	handshakeProof = "version, suite, group, resumption and certificate in each op; both sides export one secret, a record passes each way"
)

// terms is what a handshake is to come to.
type terms struct {
	group     tls.CurveID
	isResumed bool
	host      string // the name that the client wants to see
}

func planHandshake(j *job) (*plan, error) {
	identity, err := j.Inputs.Take("identity")
	if err != nil {
		return nil, err
	}
	t := terms{handshakeGroups[j.Text("group")], j.Text("handshake") == "resumed", handshakeHost}
	configs := work.Shared(j, func() (*handshakeConfigs, error) { return newHandshakeConfigs(identity, t) })
	return &plan{
		Verified:  handshakeProof,
		Libraries: []string{libraryGo},
		Instantiate: func() (instance, error) {
			configs, err := configs()
			if err != nil {
				return nil, err
			}
			return newHandshakes(configs, t)
		},
	}, nil
}

// handshakeConfigs is the configurations of both sides.
type handshakeConfigs struct{ server, client *tls.Config }

// newHandshakeConfigs reads an identity in PEM: the server's private key, leaf, intermediate, root.
func newHandshakeConfigs(identity []byte, t terms) (*handshakeConfigs, error) {
	var blocks []*pem.Block
	for block, rest := pem.Decode(identity); block != nil; block, rest = pem.Decode(rest) {
		blocks = append(blocks, block)
	}
	if len(blocks) != 4 {
		return nil, protocol.Faultf(protocol.KindInput, "the identity has %d parts, not 4", len(blocks))
	}
	chain := append(pem.EncodeToMemory(blocks[1]), pem.EncodeToMemory(blocks[2])...)
	certificate, err := tls.X509KeyPair(chain, pem.EncodeToMemory(blocks[0]))
	if err != nil {
		return nil, err
	}
	root, err := x509.ParseCertificate(blocks[3].Bytes)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(root)
	common := tls.Config{
		MinVersion:             tls.VersionTLS13,
		CurvePreferences:       []tls.CurveID{t.group},
		SessionTicketsDisabled: !t.isResumed,
	}
	server, client := common.Clone(), common.Clone()
	server.Certificates = []tls.Certificate{certificate}
	client.RootCAs, client.ServerName = roots, t.host
	return &handshakeConfigs{server, client}, nil
}

// handshakes is one thread's handshakes, one an op.
type handshakes struct {
	server, client *tls.Config
	terms          terms
	wire           wire
	// The coroutine of all servers, one after the other: serve has the accepting one go on, and returns
	// whether it waits for more; if not it is done, with its error.
	serve     func() (isWaiting bool)
	accepting *tls.Conn
	acceptErr error
	isWaiting bool
	behind    [1]byte // room for what no handshake sends
}

func newHandshakes(configs *handshakeConfigs, t terms) (*handshakes, error) {
	h := &handshakes{server: configs.server, client: configs.client, terms: t}
	// It ends with the process.
	next, _ := iter.Pull(func(yield func(isWaiting bool) bool) {
		h.wire.serverWaits = func() bool { return !h.wire.isClosed && yield(true) }
		for isWanted := true; isWanted; isWanted = yield(false) {
			h.acceptErr = h.accepting.Handshake()
		}
	})
	h.serve = func() bool { isWaiting, _ := next(); return isWaiting }
	h.wire.clientWaits = func() bool {
		mayHaveSent := h.isWaiting
		h.isWaiting = h.isWaiting && h.serve()
		return mayHaveSent
	}
	if !t.isResumed {
		return h, nil
	}
	// Tickets are the thread's own. The first handshake has none.
	h.client = configs.client.Clone()
	h.client.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	_, _, err := h.handshake()
	return h, err
}

// handshake makes two connections, and takes the ticket of a resumed one.
func (h *handshakes) handshake() (server, client *tls.Conn, err error) {
	h.wire.toServer.Reset()
	h.wire.toClient.Reset()
	server, client = tls.Server(serverEnd{&h.wire}, h.server), tls.Client(clientEnd{&h.wire}, h.client)
	h.accepting, h.isWaiting, h.wire.isClosed = server, true, false
	err = client.Handshake()
	// The client sends no more; whatever the server still waits for is an error of its.
	h.wire.isClosed = true
	for h.isWaiting {
		h.isWaiting = h.serve()
	}
	if err = errors.Join(err, h.acceptErr); err != nil || !h.terms.isResumed {
		return server, client, err
	}
	if _, err := client.Read(h.behind[:]); !errors.Is(err, errNothingMore) {
		return nil, nil, errors.Join(errors.New("more than a ticket came behind the handshake"), err)
	}
	return server, client, nil
}

// agreed is a handshake on the terms.
func (h *handshakes) agreed() (server, client *tls.Conn, err error) {
	if server, client, err = h.handshake(); err != nil {
		return nil, nil, err
	}
	for _, conn := range [...]*tls.Conn{server, client} {
		state := conn.ConnectionState()
		if state.Version != tls.VersionTLS13 || state.CipherSuite != tls.TLS_AES_128_GCM_SHA256 ||
			state.CurveID != h.terms.group || state.DidResume != h.terms.isResumed {
			return nil, nil, protocol.Faultf(protocol.KindOperationFailed,
				"a side negotiated %s, %s, %s, resumed: %t", tls.VersionName(state.Version),
				tls.CipherSuiteName(state.CipherSuite), state.CurveID, state.DidResume)
		}
		if conn == client && len(state.VerifiedChains) == 0 {
			return nil, nil, errors.New("the client has not verified the certificate")
		}
	}
	return server, client, nil
}

func (h *handshakes) Op() error {
	_, _, err := h.agreed()
	return err
}

// Output is the secrets that both sides export, and the records that they received.
func (h *handshakes) Output() ([]byte, error) {
	server, client, err := h.agreed()
	if err != nil {
		return nil, err
	}
	var output []byte
	for _, conn := range []*tls.Conn{server, client} {
		state := conn.ConnectionState()
		secret, err := state.ExportKeyingMaterial(exportLabel, nil, exportBytes)
		if err != nil {
			return nil, err
		}
		output = append(output, secret...)
	}
	for _, pair := range [][2]*tls.Conn{{server, client}, {client, server}} {
		if _, err := pair[0].Write([]byte(passedRecord)); err != nil {
			return nil, err
		}
		received := make([]byte, len(passedRecord)+1)
		n, err := pair[1].Read(received)
		if err != nil {
			return nil, err
		}
		output = append(output, received[:n]...)
	}
	return output, nil
}

func (h *handshakes) Check(output []byte) error {
	if len(output) < 2*exportBytes {
		return protocol.Faultf(protocol.KindWrongAnswer, "the sides exported no secrets")
	}
	server, client, records := output[:exportBytes], output[exportBytes:2*exportBytes], output[2*exportBytes:]
	if !bytes.Equal(server, client) {
		return protocol.Faultf(protocol.KindWrongAnswer, "the sides export different secrets")
	}
	return mustEqual("the records where they arrive", records, []byte(passedRecord+passedRecord))
}

// wire is what is on its way between a client and its server.
type wire struct {
	toServer, toClient bytes.Buffer
	// Each lets the other side work, and returns whether it may have sent something.
	serverWaits, clientWaits func() bool
	isClosed                 bool // the client will send no more
}

// errNothingMore is what a read returns if nothing was sent and nobody will send.
var errNothingMore net.Error = nothingMore{}

// nothingMore does not end a connection: it is temporary.
type nothingMore struct{}

func (nothingMore) Error() string   { return "nothing was sent" }
func (nothingMore) Timeout() bool   { return true }
func (nothingMore) Temporary() bool { return true }

// read is the next bytes of a buffer, which the other side fills.
func read(from *bytes.Buffer, into []byte, waits func() bool) (int, error) {
	for from.Len() == 0 {
		if !waits() && from.Len() == 0 {
			return 0, errNothingMore
		}
	}
	return from.Read(into)
}

type (
	serverEnd struct{ *wire }
	clientEnd struct{ *wire }
)

func (e serverEnd) Read(into []byte) (int, error) { return read(&e.toServer, into, e.serverWaits) }
func (e clientEnd) Read(into []byte) (int, error) { return read(&e.toClient, into, e.clientWaits) }

func (e serverEnd) Write(sent []byte) (int, error) { return e.toClient.Write(sent) }
func (e clientEnd) Write(sent []byte) (int, error) { return e.toServer.Write(sent) }

// Methods of net.Conn without a meaning here.

func (*wire) Close() error                     { return nil }
func (*wire) LocalAddr() net.Addr              { return nil }
func (*wire) RemoteAddr() net.Addr             { return nil }
func (*wire) SetDeadline(time.Time) error      { return nil }
func (*wire) SetReadDeadline(time.Time) error  { return nil }
func (*wire) SetWriteDeadline(time.Time) error { return nil }
