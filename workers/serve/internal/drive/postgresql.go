package drive

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sizeup/worker-serve/internal/daemon"
)

// SQLTarget is a PostgreSQL and the transactions that it gets. Its tables are those of pgbench, but for
// the balances of accounts, which follow from their numbers, so that an answer shows whose it is.
type SQLTarget struct {
	Network  string `json:"network"` // "unix" or "tcp"
	Address  string `json:"address"`
	User     string `json:"user"`
	Password string `json:"password"`
	Script   string `json:"script"` // "select", "tpcb", "mixed" or "scan"
	Scale    int64  `json:"scale"`  // branches; each has 10 tellers and 100,000 accounts
	Seed     uint64 `json:"seed"`
}

// Sizes of a branch and the range of a change, as in pgbench.
const (
	tellersPerBranch  = 10
	accountsPerBranch = 100_000
	largestDelta      = 5000
)

// Balance is what an account has from the beginning.
func Balance(account int64) int64 { return account*2654435761%2_000_001 - 1_000_000 }

const balanceInSQL = "(aid::bigint * 2654435761 % 2000001 - 1000000)::int"

// Balances is the sum over the first accounts.
func Balances(accounts int64) (sum int64) {
	for account := int64(1); account <= accounts; account++ {
		sum += Balance(account)
	}
	return sum
}

// The rows that the script "mixed" inserts, of 512 bytes.
const itemRepeats = 16

func appendItem(out []byte, id int64) []byte {
	digest := md5.Sum(strconv.AppendInt(nil, id, 10))
	text := hex.EncodeToString(digest[:])
	for range itemRepeats {
		out = append(out, text...)
	}
	return out
}

var itemInSQL = fmt.Sprintf("repeat(md5(id::text), %d)", itemRepeats)

// statements is what a session prepares for a script, by number.
var statements = map[string][]string{
	"select": {"SELECT abalance FROM pgbench_accounts WHERE aid = $1"},
	"mixed": {
		"SELECT abalance FROM pgbench_accounts WHERE aid = $1",
		"INSERT INTO items (id, body) VALUES ($1, $2)",
	},
	"scan": {"SELECT sum(abalance) FROM pgbench_accounts"},
	// pgbench's own, in its order.
	"tpcb": {
		"BEGIN",
		"UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2",
		"SELECT abalance FROM pgbench_accounts WHERE aid = $1",
		"UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2",
		"UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2",
		"INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP)",
		"END",
	},
}

const insertPercent = 10

// sql is a target and what its tables must hold.
type sql struct {
	target      *SQLTarget
	accounts    int64
	sum         int64          // of all accounts, from the beginning
	deltas      []atomic.Int32 // by account, what transactions added; one connection has an account
	connections []*sqlSpeaker
}

func openSQL(target *SQLTarget, connections, cpus int) (*wireClient, error) {
	const mostBranches = 1000
	if target.Scale < 1 || target.Scale > mostBranches || statements[target.Script] == nil || connections < 1 {
		return nil, errors.New("a target with an impossible size or script")
	}
	s := &sql{target: target, accounts: target.Scale * accountsPerBranch}
	s.sum = Balances(s.accounts)
	if target.Script == "tpcb" {
		s.deltas = make([]atomic.Int32, s.accounts+1)
	}
	if err := s.fill(min(int64(connections), max(1, target.Scale/10))); err != nil {
		return nil, err
	}
	var dial []func() (net.Conn, speaker, error)
	for i := range connections {
		one := &sqlSpeaker{sql: s, index: int64(i), random: random{target.Seed ^ mixed(uint64(i)+1)}}
		s.connections = append(s.connections, one)
		dial = append(dial, func() (net.Conn, speaker, error) {
			connection, err := net.DialTimeout(target.Network, target.Address, requestPatience)
			return connection, one, err
		})
	}
	client, err := newWireClient(cpus, dial)
	if err != nil {
		return nil, err
	}
	client.check = s.fetch
	return client, nil
}

// fillPatience is how long one step of filling may take.
const fillPatience = 10 * time.Minute

// fill makes the tables, with accounts by several sessions at once.
func (s *sql) fill(sessions int64) error {
	err := s.session(fillPatience, func(session *sqlSession) error {
		return session.all(
			"CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))",
			"CREATE TABLE pgbench_tellers (tid int NOT NULL, bid int, tbalance int, filler char(84)) WITH (fillfactor=100)",
			"CREATE TABLE pgbench_accounts (aid int NOT NULL, bid int, abalance int, filler char(84)) WITH (fillfactor=100)",
			"CREATE TABLE pgbench_branches (bid int NOT NULL, bbalance int, filler char(88)) WITH (fillfactor=100)",
			"CREATE TABLE items (id bigint PRIMARY KEY, body text NOT NULL)",
			fmt.Sprintf("INSERT INTO pgbench_branches SELECT bid, 0 FROM generate_series(1, %d) bid", s.target.Scale),
			fmt.Sprintf("INSERT INTO pgbench_tellers SELECT tid, (tid - 1) / %d + 1, 0 FROM generate_series(1, %d) tid",
				tellersPerBranch, s.target.Scale*tellersPerBranch),
		)
	})
	if err != nil {
		return err
	}
	failed := make([]error, sessions)
	var atWork sync.WaitGroup
	for i := range sessions {
		first, last := s.accounts*i/sessions+1, s.accounts*(i+1)/sessions
		atWork.Go(func() {
			failed[i] = s.session(fillPatience, func(session *sqlSession) error {
				return session.all(fmt.Sprintf("INSERT INTO pgbench_accounts SELECT aid, (aid - 1) / %d + 1, %s, '' FROM generate_series(%d, %d) aid",
					accountsPerBranch, balanceInSQL, first, last))
			})
		})
	}
	atWork.Wait()
	if err := errors.Join(failed...); err != nil {
		return err
	}
	return s.session(fillPatience, func(session *sqlSession) error {
		return session.all(
			"ALTER TABLE pgbench_branches ADD PRIMARY KEY (bid)",
			"ALTER TABLE pgbench_tellers ADD PRIMARY KEY (tid)",
			"ALTER TABLE pgbench_accounts ADD PRIMARY KEY (aid)",
			"VACUUM ANALYZE",
			"CHECKPOINT",
		)
	})
}

// fetch asks for what the script's transactions must have left.
func (s *sql) fetch() (*Fetched, error) {
	var body []byte
	err := s.session(requestPatience, func(session *sqlSession) error {
		switch s.target.Script {
		case "scan":
			rows, err := session.rows(statements["scan"][0])
			if err != nil {
				return err
			}
			body = appendRows(body, rows)
			return nil
		case "tpcb":
			return s.balances(session, &body)
		}
		rows, err := session.rows("SELECT aid, abalance FROM pgbench_accounts WHERE aid IN (" + s.checked() + ") ORDER BY aid")
		if err != nil {
			return err
		}
		body = appendRows(body, rows)
		if s.target.Script == "mixed" {
			return s.items(session, &body)
		}
		return nil
	})
	return &Fetched{Body: body}, err
}

// balances appends what the tables hold beyond what was added: nothing, everywhere the same.
func (s *sql) balances(session *sqlSession, body *[]byte) error {
	var added, transactions int64
	for _, connection := range s.connections {
		added += connection.added
		transactions += connection.transactions
	}
	found, err := session.numbers("SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(tbalance) FROM pgbench_tellers), "+
		"(SELECT sum(bbalance) FROM pgbench_branches), (SELECT coalesce(sum(delta), 0) FROM pgbench_history), "+
		"(SELECT count(*) FROM pgbench_history)", 5)
	if err == nil {
		*body = AppendBalances(*body, found[0]-s.sum-added, found[1]-added, found[2]-added, found[3]-added, found[4]-transactions)
	}
	return err
}

// AppendBalances appends by how much balances differ from what transactions added to them.
func AppendBalances(body []byte, accounts, tellers, branches, history, transactions int64) []byte {
	return fmt.Appendf(body, "accounts %+d, tellers %+d, branches %+d, history %+d, transactions %+d\n",
		accounts, tellers, branches, history, transactions)
}

// items appends how many rows there are beyond those that were inserted, and how many are wrong.
func (s *sql) items(session *sqlSession, body *[]byte) error {
	var inserted int64
	for _, connection := range s.connections {
		inserted += connection.inserted
	}
	found, err := session.numbers("SELECT count(*), count(*) FILTER (WHERE body <> "+itemInSQL+") FROM items", 2)
	if err == nil {
		*body = AppendItems(*body, found[0]-inserted, found[1])
	}
	return err
}

// AppendItems appends how many inserted rows are there beyond those that were sent, and how many are wrong.
func AppendItems(body []byte, more, wrong int64) []byte {
	return fmt.Appendf(body, "items %+d, wrong %+d\n", more, wrong)
}

// checked is the numbers of some accounts, over the whole table.
func (s *sql) checked() string {
	var list []string
	for _, account := range CheckedAccounts(s.target.Scale) {
		list = append(list, strconv.FormatInt(account, 10))
	}
	return strings.Join(list, ", ")
}

// CheckedAccounts is the accounts that fetch gets, over the whole table.
func CheckedAccounts(scale int64) (accounts []int64) {
	const count = 16
	all := scale * accountsPerBranch
	for i := range int64(count) {
		accounts = append(accounts, 1+i*(all-1)/(count-1))
	}
	return accounts
}

// Accounts is the number of accounts at a scale.
func Accounts(scale int64) int64 { return scale * accountsPerBranch }

func appendRows(body []byte, rows [][]string) []byte {
	for _, row := range rows {
		body = append(body, strings.Join(row, " ")...)
		body = append(body, '\n')
	}
	return body
}

// sqlSpeaker is one connection.
type sqlSpeaker struct {
	sql      *sql
	index    int64
	random   random
	steps    []sqlStep // of the transaction
	at       int
	account  int64
	delta    int64
	row      []byte // the first column of the first row that a step got
	rows     int
	tag      []byte
	scratch  []byte
	added    int64 // by transactions that were confirmed
	inserted int64 // rows
	// transactions is those of tpcb that were confirmed.
	transactions int64
	isInsert     bool
}

// sqlStep is one statement and what it must answer.
type sqlStep struct {
	statement int
	arguments [4]int64
	count     int   // of arguments
	hasItem   bool  // a further argument, for the row of the first one
	isSelect  bool  // of one row with this value
	value     int64 // of it
	tag       string
}

func (s *sqlSpeaker) greet(session io.ReadWriter) error {
	opened, err := startSession(session, s.sql.target)
	if err != nil {
		return err
	}
	for i, text := range statements[s.sql.target.Script] {
		if err := opened.prepare(i, text); err != nil {
			return err
		}
	}
	if buffered := opened.in.Buffered(); buffered > 0 {
		return fmt.Errorf("%d bytes that nothing was sent for", buffered)
	}
	return nil
}

func (s *sqlSpeaker) begin(out []byte) []byte {
	s.at, s.steps, s.isInsert = 0, s.steps[:0], false
	accounts := s.sql.accounts
	switch s.sql.target.Script {
	case "select":
		s.selects(0, 1+s.random.below(accounts))
	case "scan":
		s.steps = append(s.steps, sqlStep{isSelect: true, value: s.sql.sum, tag: "SELECT 1"})
	case "mixed":
		if s.isInsert = s.random.below(100) < insertPercent; s.isInsert {
			id := s.inserted*int64(len(s.sql.connections)) + s.index + 1
			s.steps = append(s.steps, sqlStep{statement: 1, arguments: [4]int64{id}, count: 1, hasItem: true, tag: "INSERT 0 1"})
		} else {
			s.selects(0, 1+s.random.below(accounts))
		}
	case "tpcb":
		s.transaction()
	}
	return s.execute(out)
}

func (s *sqlSpeaker) selects(statement int, account int64) {
	s.steps = append(s.steps, sqlStep{
		statement: statement, arguments: [4]int64{account}, count: 1, isSelect: true, value: Balance(account), tag: "SELECT 1",
	})
}

// transaction draws an account of this connection's, a teller, a branch and a delta, all uniformly.
func (s *sqlSpeaker) transaction() {
	connections := int64(len(s.sql.connections))
	s.account = 1 + s.random.below((s.sql.accounts-s.index+connections-1)/connections)*connections + s.index
	teller := 1 + s.random.below(s.sql.target.Scale*tellersPerBranch)
	branch := 1 + s.random.below(s.sql.target.Scale)
	s.delta = s.random.below(2*largestDelta+1) - largestDelta
	balance := Balance(s.account) + int64(s.sql.deltas[s.account].Load()) + s.delta
	s.steps = append(s.steps,
		sqlStep{statement: 0, tag: "BEGIN"},
		sqlStep{statement: 1, arguments: [4]int64{s.delta, s.account}, count: 2, tag: "UPDATE 1"},
		sqlStep{statement: 2, arguments: [4]int64{s.account}, count: 1, isSelect: true, value: balance, tag: "SELECT 1"},
		sqlStep{statement: 3, arguments: [4]int64{s.delta, teller}, count: 2, tag: "UPDATE 1"},
		sqlStep{statement: 4, arguments: [4]int64{s.delta, branch}, count: 2, tag: "UPDATE 1"},
		sqlStep{statement: 5, arguments: [4]int64{teller, branch, s.account, s.delta}, count: 4, tag: "INSERT 0 1"},
		sqlStep{statement: 6, tag: "COMMIT"},
	)
}

// execute appends the messages of the next step, those that libpq sends for a prepared statement.
func (s *sqlSpeaker) execute(out []byte) []byte {
	step := &s.steps[s.at]
	s.row, s.rows, s.tag = s.row[:0], 0, s.tag[:0]
	var at int
	out, at = beginMessage(out, 'B')
	out = append(out, 0) // the portal without a name
	out = appendName(out, step.statement)
	out = appendInt16(out, 0) // all arguments are texts
	count := step.count
	if step.hasItem {
		count++
	}
	out = appendInt16(out, count)
	for _, argument := range step.arguments[:step.count] {
		s.scratch = strconv.AppendInt(s.scratch[:0], argument, 10)
		out = append(appendInt32(out, len(s.scratch)), s.scratch...)
	}
	if step.hasItem {
		s.scratch = appendItem(s.scratch[:0], step.arguments[0])
		out = append(appendInt32(out, len(s.scratch)), s.scratch...)
	}
	out = appendInt16(out, 0) // all results are texts
	endMessage(out, at)
	out = append(out, "D\x00\x00\x00\x06P\x00E\x00\x00\x00\x09\x00\x00\x00\x00\x00S\x00\x00\x00\x04"...)
	return out
}

func (s *sqlSpeaker) take(in, out []byte) (read int, next []byte, ops int64, err error) {
	for {
		kind, body, length, err := cutMessage(in[read:])
		if length == 0 {
			return read, out, 0, err
		}
		read += length
		switch kind {
		case 'D':
			if s.rows++; s.rows == 1 {
				if s.row, err = appendColumn(s.row[:0], body); err != nil {
					return 0, nil, 0, err
				}
			}
		case 'C':
			s.tag = append(s.tag[:0], bytes.TrimSuffix(body, []byte{0})...)
		case 'E':
			return 0, nil, 0, serverError(body)
		case '2', 'n', 'T', 'N', 'S':
		case 'Z':
			isDone, err := s.finish()
			if err != nil {
				return 0, nil, 0, err
			}
			if isDone {
				return read, out, 1, nil
			}
			return read, s.execute(out), 0, nil
		default:
			return 0, nil, 0, fmt.Errorf("the server sent a message of kind %q", kind)
		}
	}
}

// finish checks a step, and counts the transaction if it was the last one.
func (s *sqlSpeaker) finish() (isDone bool, err error) {
	step := &s.steps[s.at]
	if string(s.tag) != step.tag {
		return false, wrong("%s was answered by %s, not %s", statements[s.sql.target.Script][step.statement],
			daemon.Printable(string(s.tag)), step.tag)
	}
	if step.isSelect {
		s.scratch = strconv.AppendInt(s.scratch[:0], step.value, 10)
		if s.rows != 1 || string(s.row) != string(s.scratch) {
			return false, wrong("%s with %v gave %d rows, the first %s; right is one, %s",
				statements[s.sql.target.Script][step.statement], step.arguments[:step.count], s.rows, daemon.Printable(string(s.row)), s.scratch)
		}
	}
	if s.at++; s.at < len(s.steps) {
		return false, nil
	}
	if s.isInsert {
		s.inserted++
	}
	if s.sql.target.Script == "tpcb" {
		s.sql.deltas[s.account].Add(int32(s.delta))
		s.added += s.delta
		s.transactions++
	}
	return true, nil
}
