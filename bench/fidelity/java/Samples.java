import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;

/** Reads how long to work, in ns, and writes ops and the CPU time that the process took for them. */
final class Samples {
  private static Object last;

  private Samples() {}

  static void take(Callable<?> op) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(sample(op, Long.parseLong(line)));
    }
    System.err.println("last result: " + last.getClass());
  }

  private static String sample(Callable<?> op, long leastNs) throws Exception {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long start = System.nanoTime();
    long before = system.getProcessCpuTime();
    long ops = 0;
    do {
      last = op.call();
      ops++;
    } while (System.nanoTime() - start < leastNs);
    return ops + " " + (system.getProcessCpuTime() - before);
  }
}
