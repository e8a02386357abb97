package sizeup;

import java.io.File;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.PrintWriter;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The kit for workers in Java: you write the operations; threads, pinning, timing, pulses, counters and the protocol
 * (docs/protocol.md) are in libsizeup_ckit.so, whose threads call this class. A batch of ops is one call into Java.
 */
public final class Kit {
  /** One thread's state of an operation. */
  public interface Work {
    /** Performs one op, which is what is timed, and returns its result. */
    Object op() throws Exception;

    /** The result as bytes that {@link #check} can judge, not empty; untimed. */
    byte[] output(Object result) throws Exception;

    /** Throws {@link WrongAnswer} unless the output is right, down to any single bit. */
    void check(byte[] output) throws Exception;

    /** Input bytes of an op; below zero where bytes make no sense. */
    default long bytesPerOp() {
      return -1;
    }
  }

  /** Thrown by {@link Work#check}. */
  public static final class WrongAnswer extends Exception {
    public WrongAnswer(String why) {
      super(why);
    }
  }

  /** Thrown by a {@link Maker} where this machine can't run the operation: the row is left out, and nothing has failed. */
  public static final class Unavailable extends Exception {
    public Unavailable(String why) {
      super(why);
    }
  }

  /** Parameters, inputs, seed and thread that a thread's work is made from. */
  public record Setting(Map<String, String> parameters, Map<String, byte[]> inputs, long seed, int thread, int threads) {
    public int integer(String name) {
      return Integer.parseInt(parameters.get(name));
    }
  }

  /** Makes one thread's work, untimed. */
  public interface Maker {
    Work make(Setting setting) throws Exception;
  }

  /** The values that a parameter may have, as JSON. */
  public record Range(String json) {
    /** An integer, both ends included. */
    public static Range integers(long first, long last) {
      return new Range("[" + first + "," + last + "]");
    }

    /** One of some texts. */
    public static Range oneOf(String... texts) {
      return new Range("{\"of\":" + list(Arrays.asList(texts)) + "}");
    }
  }

  /** An operation: its name as OPERATION/IMPLEMENTATION, and what its check proves, in one phrase. */
  public record Operation(String name, String verified, Map<String, Range> parameters, List<String> inputs, Maker maker) {}

  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int UNAVAILABLE = 2;

  /** Those that stop threads; cycles of concurrent collectors don't. */
  private static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans().stream()
      .filter(collector -> !collector.getName().endsWith("Cycles"))
      .toList();

  /** Null of a virtual machine that only interprets. */
  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

  private static List<Operation> operations;
  private static final ThreadLocal<State> STATE = new ThreadLocal<>();

  private static final class State {
    final Work work;

    /** So that the compiler can't leave out the work. */
    Object result;

    State(Work work) {
      this.work = work;
    }

    void batch(long ops) throws Exception {
      for (long done = 0; done < ops; done++) {
        result = work.op();
      }
    }
  }

  private Kit() {}

  /**
   * Runs a worker by its command line, and ends the program. `libraries` are those that do the work, name to version as
   * they report it; the implementation of each operation is one. `library` is the folder of libsizeup_ckit.so, lib/sizeup of
   * the release.
   */
  public static void run(
      String name, File library, String flags, Map<String, String> libraries, List<Operation> declared, String[] arguments) {
    PrintStream answers = System.out;
    System.setOut(System.err); // what is printed would be taken for an answer
    operations = declared;
    try {
      System.load(new File(library, "libsizeup_ckit.so").getAbsolutePath());
    } catch (UnsatisfiedLinkError error) {
      String hint = "set SIZEUP_HOME to sizeup's release folder for this machine's architecture";
      System.err.println("sizeup.Kit: " + error.getMessage() + "\n" + hint);
      answers.println("{\"answer\":\"error\",\"kind\":\"unavailable\",\"message\":" + text("sizeup.Kit: " + error.getMessage())
          + ",\"hint\":" + text(hint) + "}");
      answers.flush();
      Runtime.getRuntime().halt(1);
    }
    String compiler = System.getProperty("java.vm.name") + " " + Runtime.version();
    String declaration = "{\"name\":" + text(name)
        + ",\"arguments\":" + list(Arrays.asList(arguments))
        + ",\"compiler\":" + text(compiler)
        + ",\"flags\":" + text(flags)
        + ",\"libraries\":" + object(libraries, Kit::text)
        + ",\"operations\":[" + declared.stream().map(Kit::declaration).collect(Collectors.joining(",")) + "]}";
    // The kit's threads may still be ending: nothing is taken down under them.
    Runtime.getRuntime().halt(run(declaration.getBytes(StandardCharsets.UTF_8)));
  }

  private static native int run(byte[] declaration);

  private static String declaration(Operation operation) {
    return "{\"name\":" + text(operation.name)
        + ",\"verified\":" + text(operation.verified)
        + ",\"parameters\":" + object(operation.parameters, Range::json)
        + ",\"inputs\":" + list(operation.inputs) + "}";
  }

  private static String text(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char letter : text.toCharArray()) {
      if (letter == '"' || letter == '\\') {
        json.append('\\').append(letter);
      } else if (letter < ' ') {
        json.append(String.format("\\u%04x", (int) letter));
      } else {
        json.append(letter);
      }
    }
    return json.append('"').toString();
  }

  private static String list(List<String> texts) {
    return texts.stream().map(Kit::text).collect(Collectors.joining(",", "[", "]"));
  }

  private static <T> String object(Map<String, T> members, java.util.function.Function<T, String> json) {
    return new TreeMap<>(members).entrySet().stream()
        .map(member -> text(member.getKey()) + ":" + json.apply(member.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** Called by the library, on any of its threads: what it asks for, in the order of `Asked` in workers/ckit/src/managed.rs. */
  private static byte[] ask(int what, byte[] bytes) {
    try {
      return answer(DONE, answered(what, bytes));
    } catch (WrongAnswer | Unavailable plain) {
      return answer(plain instanceof Unavailable ? UNAVAILABLE : FAILED, utf8(plain.getMessage()));
    } catch (Throwable error) {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace));
      System.err.print(trace);
      return answer(FAILED, utf8(error.toString()));
    }
  }

  private static byte[] answered(int what, byte[] bytes) throws Exception {
    State state = STATE.get();
    switch (what) {
      case 1:
        STATE.set(new State(setUp(bytes)));
        return new byte[0];
      case 2:
        // Without a work, the library asks what a call costs.
        if (state != null) {
          state.batch(Long.parseLong(new String(bytes, StandardCharsets.US_ASCII)));
        }
        return new byte[0];
      case 3:
        return state.work.output(state.work.op());
      case 4:
        state.work.check(bytes);
        return new byte[0];
      case 5:
        long count = state.work.bytesPerOp();
        return count < 0 ? new byte[0] : utf8(Long.toString(count));
      case 6:
        return new byte[0];
      case 7:
        // In steps of ten milliseconds: something small is compiled at any time.
        return utf8(Long.toString(compilersMs() / 10));
      case 8:
        long collectorsMs = COLLECTORS.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
        String compilers = COMPILERS == null ? "" : " " + compilersMs() * 1_000_000;
        return utf8(collectorsMs * 1_000_000 + compilers);
      default:
        throw new IllegalArgumentException("the library asked for " + what);
    }
  }

  private static long compilersMs() {
    return COMPILERS == null ? 0 : COMPILERS.getTotalCompilationTime();
  }

  private static byte[] answer(int kind, byte[] of) {
    byte[] answer = new byte[1 + of.length];
    answer[0] = (byte) kind;
    System.arraycopy(of, 0, answer, 1, of.length);
    return answer;
  }

  private static byte[] utf8(String text) {
    return String.valueOf(text).getBytes(StandardCharsets.UTF_8);
  }

  /** Lines of fields up to an empty one, and then the inputs, one behind the other. */
  private static Work setUp(byte[] bytes) throws Exception {
    Map<String, String> parameters = new LinkedHashMap<>();
    Map<String, byte[]> inputs = new LinkedHashMap<>();
    Map<String, Integer> sizes = new LinkedHashMap<>();
    String operation = "";
    long seed = 0;
    int thread = 0;
    int threads = 0;
    int at = 0;
    while (bytes[at] != '\n') {
      int end = at;
      while (bytes[end] != '\n') {
        end++;
      }
      String[] fields = new String(bytes, at, end - at, StandardCharsets.UTF_8).split("\t");
      at = end + 1;
      switch (fields[0]) {
        case "operation" -> operation = fields[1];
        case "seed" -> seed = Long.parseLong(fields[1]);
        case "thread" -> {
          thread = Integer.parseInt(fields[1]);
          threads = Integer.parseInt(fields[2]);
        }
        case "parameter" -> parameters.put(fields[1], fields[2]);
        case "input" -> sizes.put(fields[1], Integer.parseInt(fields[2]));
        default -> throw new IllegalArgumentException("the library sent an unknown field, " + fields[0]);
      }
    }
    at++;
    for (Map.Entry<String, Integer> input : sizes.entrySet()) {
      inputs.put(input.getKey(), Arrays.copyOfRange(bytes, at, at + input.getValue()));
      at += input.getValue();
    }
    for (Operation of : operations) {
      if (of.name.equals(operation)) {
        return of.maker.make(new Setting(parameters, inputs, seed, thread, threads));
      }
    }
    throw new IllegalArgumentException("no operation is named " + operation);
  }
}
