import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import sizeup.Kit;
import sizeup.Kit.Operation;
import sizeup.Kit.Range;
import sizeup.Kit.Setting;
import sizeup.Kit.WrongAnswer;

/**
 * Work of programs in Java on the installed virtual machine: its standard library, and libraries of the apps pack. All threads
 * share one machine.
 */
public final class JvmWorker {
  private JvmWorker() {}

  public static void main(String[] arguments) {
    // libexec/sizeup/jvm is this program and the script that starts it.
    File home = new File(System.getProperty("java.class.path")).getAbsoluteFile().getParentFile().getParentFile().getParentFile();
    List<Operation> operations = List.of(
        new Operation("objects/jvm", "a walk meets all nodes in the order that numbers alone give", Map.of(
            "nodes", Range.integers(1, 10_000_000), "live_graphs", Range.integers(1, 1000)), List.of(), Objects::new),
        new Operation("n-body/jvm", "the energy before and after is that of another program", Map.of(
            "size", Range.integers(2000, 2000)), List.of(), NBody::new),
        new Operation("regex-find/jvm", "matches are where another engine found them", Map.of(), List.of("data", "pattern"), RegexFind::new),
        new Operation("json-parse/jackson", "the tree, written again, is the document", Map.of(), List.of("data"),
            Packed.over(Packed.Library.JACKSON, Packed.Json.class, JsonParse::new)),
        new Operation("json-encode/jackson", "the text is the document", Map.of(), List.of("data"),
            Packed.over(Packed.Library.JACKSON, Packed.Json.class, JsonEncode::new)),
        new Operation("search-zipf/lucene", "documents and scores are those of a search through all documents", Map.of(
            "documents", Range.integers(1000, 1_000_000)), List.of(),
            Packed.over(Packed.Library.LUCENE, Packed.Indexer.class, Search::new)));
    String version = System.getProperty("java.vm.name") + " " + Runtime.version();
    Map<String, String> libraries = Packed.versions(version);
    libraries.put("jvm", version);
    Kit.run("jvm", new File(home, "lib/sizeup"), "G1, heap of 2 GiB", libraries, operations, arguments);
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  /** One op builds a graph in place of the oldest of those that are kept, and walks it. */
  private static final class Objects implements Kit.Work {
    private static final int EDGES = 3;

    private static final class Node {
      final int value;
      final Node[] edges = new Node[EDGES];
      boolean isMet;

      Node(int value) {
        this.value = value;
      }
    }

    /** The edges of each node, by their numbers: the first leads to the next node, so that all can be reached. */
    private final int[] to;

    private final int[] values;
    private final Node[] kept;
    private final Node[] stack;
    private int oldest;

    Objects(Setting setting) {
      int nodes = setting.integer("nodes");
      // All threads together keep so many.
      kept = new Node[Math.max(1, setting.integer("live_graphs") / setting.threads())];
      SplittableRandom random = new SplittableRandom(setting.seed());
      to = new int[nodes * EDGES];
      values = new int[nodes];
      for (int node = 0; node < nodes; node++) {
        values[node] = random.nextInt();
        to[node * EDGES] = Math.min(node + 1, nodes - 1);
        for (int edge = 1; edge < EDGES; edge++) {
          to[node * EDGES + edge] = random.nextInt(nodes);
        }
      }
      stack = new Node[nodes * EDGES + 1];
      for (int graph = 0; graph < kept.length; graph++) {
        build();
      }
    }

    private Node build() {
      // This array is dropped: once they are built, nodes are found by their edges only.
      Node[] nodes = new Node[values.length];
      for (int node = 0; node < nodes.length; node++) {
        nodes[node] = new Node(values[node]);
      }
      for (int node = 0; node < nodes.length; node++) {
        for (int edge = 0; edge < EDGES; edge++) {
          nodes[node].edges[edge] = nodes[to[node * EDGES + edge]];
        }
      }
      kept[oldest] = nodes[0];
      oldest = (oldest + 1) % kept.length;
      return nodes[0];
    }

    @Override
    public Object op() {
      stack[0] = build();
      int waiting = 1;
      long met = 0;
      long hash = 0;
      while (waiting > 0) {
        Node node = stack[--waiting];
        if (node.isMet) {
          continue;
        }
        node.isMet = true;
        met++;
        hash = 31 * hash + node.value;
        for (Node next : node.edges) {
          stack[waiting++] = next;
        }
      }
      Arrays.fill(stack, null);
      return new long[] {met, hash};
    }

    @Override
    public byte[] output(Object result) {
      long[] numbers = (long[]) result;
      return ByteBuffer.allocate(16).putLong(numbers[0]).putLong(numbers[1]).array();
    }

    @Override
    public void check(byte[] output) throws WrongAnswer {
      boolean[] isMet = new boolean[values.length];
      int[] waiting = new int[to.length + 1];
      int count = 1;
      long hash = 0;
      while (count > 0) {
        int node = waiting[--count];
        if (!isMet[node]) {
          isMet[node] = true;
          hash = 31 * hash + values[node];
          System.arraycopy(to, node * EDGES, waiting, count, EDGES);
          count += EDGES;
        }
      }
      if (!Arrays.equals(output, output(new long[] {values.length, hash}))) {
        throw new WrongAnswer("the walk did not meet all " + values.length + " nodes in their order");
      }
    }
  }

  private static final class RegexFind implements Kit.Work {
    // SHA-256 of the spans of the pattern of fields, as Rust's regex found them.
    private static final String KNOWN = "fd03b2f132dde08c9e19cc14d329faee621ab0c86e7131135ae1e10404f248dd";

    private final Pattern pattern;
    private final String text;

    RegexFind(Setting setting) {
      // A letter for each byte.
      text = new String(setting.inputs().get("data"), StandardCharsets.ISO_8859_1);
      String source = new String(setting.inputs().get("pattern"), StandardCharsets.ISO_8859_1).stripTrailing();
      pattern = Pattern.compile(source, Pattern.UNIX_LINES);
    }

    @Override
    public Object op() {
      Matcher matcher = pattern.matcher(text);
      int last = matcher.groupCount();
      long found = 0;
      while (matcher.find()) {
        found += matcher.end(last) - matcher.start(last);
      }
      return found;
    }

    /** Start and end of each match and of each of its groups, as numbers of 32 bits: -1 of one that has no part in it. */
    @Override
    public byte[] output(Object found) {
      Matcher matcher = pattern.matcher(text);
      int last = matcher.groupCount();
      int matches = 0;
      while (matcher.find()) {
        matches++;
      }
      ByteBuffer output = ByteBuffer.allocate(8 * matches * (last + 1)).order(ByteOrder.LITTLE_ENDIAN);
      matcher.reset();
      while (matcher.find()) {
        for (int group = 0; group <= last; group++) {
          output.putInt(matcher.start(group)).putInt(matcher.end(group));
        }
      }
      return output.array();
    }

    @Override
    public void check(byte[] output) throws Exception {
      String found = sha256(output);
      if (!found.equals(KNOWN)) {
        throw new WrongAnswer("the spans that were found have SHA-256 " + found + ", not " + KNOWN);
      }
    }

    @Override
    public long bytesPerOp() {
      return text.length();
    }
  }

  private static class JsonParse implements Kit.Work {
    final Packed.Json json;
    final byte[] document;

    JsonParse(Packed.Json json, Setting setting) {
      this.json = json;
      document = setting.inputs().get("data");
    }

    @Override
    public Object op() throws Exception {
      return json.parse(document);
    }

    @Override
    public byte[] output(Object tree) throws Exception {
      return json.write(tree);
    }

    @Override
    public void check(byte[] output) throws WrongAnswer {
      if (!Arrays.equals(output, document)) {
        throw new WrongAnswer("what was read and written again is not the document");
      }
    }

    @Override
    public long bytesPerOp() {
      return document.length;
    }
  }

  private static final class JsonEncode extends JsonParse {
    private final Object tree;

    JsonEncode(Packed.Json json, Setting setting) throws Exception {
      super(json, setting);
      tree = json.parse(document);
    }

    @Override
    public Object op() throws Exception {
      return json.write(tree);
    }

    @Override
    public byte[] output(Object text) {
      return (byte[]) text;
    }
  }

  /** The problem of The Computer Language Benchmarks Game, as in workers/lua/n-body.lua. */
  private static final class NBody implements Kit.Work {
    private static final double SOLAR_MASS = 4 * Math.PI * Math.PI;
    private static final double DAYS_PER_YEAR = 365.24;
    private static final double STEP = 0.01;
    // Position in astronomical units, velocity in units a day, mass in solar masses.
    private static final double[][] START = {
      {0, 0, 0, 0, 0, 0, 1},
      {
        4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
        1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04
      },
      {
        8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
        -2.76742510726862411e-03, 4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04
      },
      {
        1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
        2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05
      },
      {
        1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
        2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05
      },
    };
    // SHA-256 of the two lines of output; workers/lua/expected.toml has it, too.
    private static final String KNOWN = "fb0fb79f1d3b2a8aa24f29fb67ed170a024be89784a7cdc2225ae91216c2de84";

    private static final class Body {
      double x;
      double y;
      double z;
      double vx;
      double vy;
      double vz;
      double mass;

      Body(double[] start) {
        x = start[0];
        y = start[1];
        z = start[2];
        vx = start[3] * DAYS_PER_YEAR;
        vy = start[4] * DAYS_PER_YEAR;
        vz = start[5] * DAYS_PER_YEAR;
        mass = start[6] * SOLAR_MASS;
      }
    }

    private final int size;

    NBody(Setting setting) {
      size = setting.integer("size");
    }

    @Override
    public Object op() {
      Body[] bodies = Arrays.stream(START).map(Body::new).toArray(Body[]::new);
      // The system as a whole stands still.
      for (Body body : Arrays.copyOfRange(bodies, 1, bodies.length)) {
        bodies[0].vx -= body.vx * body.mass / SOLAR_MASS;
        bodies[0].vy -= body.vy * body.mass / SOLAR_MASS;
        bodies[0].vz -= body.vz * body.mass / SOLAR_MASS;
      }
      double before = energy(bodies);
      for (int step = 0; step < size; step++) {
        advance(bodies);
      }
      return new double[] {before, energy(bodies)};
    }

    private static double energy(Body[] bodies) {
      double energy = 0;
      for (int i = 0; i < bodies.length; i++) {
        Body a = bodies[i];
        energy += a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz) / 2;
        for (int j = i + 1; j < bodies.length; j++) {
          Body b = bodies[j];
          double dx = a.x - b.x;
          double dy = a.y - b.y;
          double dz = a.z - b.z;
          energy -= a.mass * b.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
        }
      }
      return energy;
    }

    private static void advance(Body[] bodies) {
      for (int i = 0; i < bodies.length; i++) {
        Body a = bodies[i];
        for (int j = i + 1; j < bodies.length; j++) {
          Body b = bodies[j];
          double dx = a.x - b.x;
          double dy = a.y - b.y;
          double dz = a.z - b.z;
          double square = dx * dx + dy * dy + dz * dz;
          double pull = STEP / (square * Math.sqrt(square));
          a.vx -= dx * b.mass * pull;
          a.vy -= dy * b.mass * pull;
          a.vz -= dz * b.mass * pull;
          b.vx += dx * a.mass * pull;
          b.vy += dy * a.mass * pull;
          b.vz += dz * a.mass * pull;
        }
      }
      for (Body body : bodies) {
        body.x += STEP * body.vx;
        body.y += STEP * body.vy;
        body.z += STEP * body.vz;
      }
    }

    @Override
    public byte[] output(Object result) {
      double[] energies = (double[]) result;
      return String.format(Locale.ROOT, "%.9f%n%.9f%n", energies[0], energies[1]).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void check(byte[] output) throws Exception {
      if (!sha256(output).equals(KNOWN)) {
        throw new WrongAnswer("it is not the energy before and after " + size + " steps");
      }
    }
  }
}
