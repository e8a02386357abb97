import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The op of regex-log/jvm without sizeup. usage: java RegexLoop TEXT PATTERN WARM_UP_NS SAMPLE_NS */
public final class RegexLoop {
  private final String text;
  private final Pattern pattern;
  private long found;

  private RegexLoop(String text, Pattern pattern) {
    this.text = text;
    this.pattern = pattern;
  }

  private void op() {
    Matcher matcher = pattern.matcher(text);
    int last = matcher.groupCount();
    found = 0;
    while (matcher.find()) {
      found += matcher.end(last) - matcher.start(last);
    }
  }

  private String stretch(long leastNs) {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long start = System.nanoTime();
    long before = system.getProcessCpuTime();
    long ops = 0;
    do {
      op();
      ops++;
    } while (System.nanoTime() - start < leastNs);
    return "ops " + ops + "\ncpu_ns " + (system.getProcessCpuTime() - before) + "\nfound " + found;
  }

  public static void main(String[] arguments) throws Exception {
    String text = Files.readString(Path.of(arguments[0]), StandardCharsets.ISO_8859_1);
    String source = Files.readString(Path.of(arguments[1]), StandardCharsets.ISO_8859_1).stripTrailing();
    RegexLoop loop = new RegexLoop(text, Pattern.compile(source, Pattern.UNIX_LINES));
    loop.stretch(Long.parseLong(arguments[2]));
    System.out.println(loop.stretch(Long.parseLong(arguments[3])));
  }
}
