import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Prints how long `java.net.URI` takes for a string on a warm JVM, in nanoseconds of the thread's CPU
 * time, how many of the strings it accepts, and the version of Java.
 *
 * <p>java JavaNetUri.java FILE, with one string on each line
 */
public class JavaNetUri {
    static final int WARM_UP_SECONDS = 5;
    static final int ROUNDS = 31;

    static int accepted;
    static long lengths; // prevents the compiler from removing the work

    static void parse(List<String> texts) {
        accepted = 0;
        for (String text : texts) {
            try {
                URI uri = new URI(text);
                String host = uri.getHost();
                lengths += host == null ? 0 : host.length();
                accepted++;
            } catch (URISyntaxException e) {
                lengths++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> texts = Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8);
        long end = System.nanoTime() + WARM_UP_SECONDS * 1_000_000_000L;
        while (System.nanoTime() < end) {
            parse(texts);
        }
        ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
        double[] times = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = cpu.getCurrentThreadCpuTime();
            parse(texts);
            times[round] = (double) (cpu.getCurrentThreadCpuTime() - start) / texts.size();
        }
        Arrays.sort(times);
        System.out.println(times[ROUNDS / 2] + "\t" + accepted + "\t" + Runtime.version());
        System.err.println(lengths);
    }
}
