import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The op of regex-log/jvm without sizeup. usage: java RegexLoop TEXT PATTERN < NANOSECONDS_OF_EACH_SAMPLE */
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

  private String sample(long leastNs) {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long start = System.nanoTime();
    long before = system.getProcessCpuTime();
    long ops = 0;
    do {
      op();
      ops++;
    } while (System.nanoTime() - start < leastNs);
    return ops + " " + (system.getProcessCpuTime() - before);
  }

  public static void main(String[] arguments) throws Exception {
    String text = Files.readString(Path.of(arguments[0]), StandardCharsets.ISO_8859_1);
    String source = Files.readString(Path.of(arguments[1]), StandardCharsets.ISO_8859_1).stripTrailing();
    RegexLoop loop = new RegexLoop(text, Pattern.compile(source, Pattern.UNIX_LINES));
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(loop.sample(Long.parseLong(line)));
    }
    System.err.println("found " + loop.found);
  }
}
