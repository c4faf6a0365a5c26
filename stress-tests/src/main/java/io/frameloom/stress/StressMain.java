package io.frameloom.stress;

import io.frameloom.gpu.internal.Plural;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.vm.VMSupport;

/**
 * Runs the jcstress tests and judges them. jcstress itself ends with 0 when it could schedule no test (a
 * test with three actors on two processors), so the results are held against the list of tests.
 *
 * <pre>
 * StressMain [--quick] [--test REGEX] [--min-tests N] [--report DIR]
 * </pre>
 *
 * <p>Exit code 0: every test ran and no result was forbidden or an error. 1: otherwise, with one line per
 * reason. 2: the command line is wrong. Tests with more actors than there are processors are named as
 * skipped. jcstress starts further JVMs and leaves its report in the folder of {@code --report}.
 */
public final class StressMain {
    private static final String USAGE = "usage: StressMain [--quick] [--test REGEX] [--min-tests N] [--report DIR]";
    private static final int BAD_INPUT = 2;
    /**
     * Short strides: a test whose every state is a task graph takes long to make many of them. A JVM that lives for a second
     * neither touches its whole heap nor loads the library that binds threads: processes are bound to processors.
     */
    private static final String QUICK = "-m quick -f 1 -fsm 0 -iters 1 -time 200 -strideCount 10 -pth false -af GLOBAL";
    /** Both compilers, as programs have: what they reorder is what these tests are about. */
    private static final String QUICK_JVM = "-Xmx256m -XX:+UseSerialGC";

    private boolean quick;
    private String tests = ".*";
    private int minTests = 1;
    private String report = "target/jcstress/report";

    private StressMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     * @throws Exception whatever jcstress throws
     */
    public static void main(String[] arguments) throws Exception {
        StressMain main = new StressMain();
        String wrong = main.parse(arguments);
        if (wrong != null) {
            System.err.println(wrong + "; " + USAGE);
            System.exit(BAD_INPUT);
        }
        List<String> complaints = main.run();
        for (String complaint : complaints) {
            System.err.println("stress: " + complaint);
        }
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    private @org.jspecify.annotations.Nullable String parse(String[] arguments) {
        for (int index = 0; index < arguments.length; index++) {
            String option = arguments[index];
            if (option.equals("--quick")) {
                quick = true;
                continue;
            }
            if (!List.of("--test", "--min-tests", "--report").contains(option)) {
                return "unknown option " + option;
            }
            if (++index == arguments.length) {
                return option + " needs a value";
            }
            String value = arguments[index];
            try {
                switch (option) {
                    case "--test" -> tests = Pattern.compile(value).pattern();
                    case "--min-tests" -> minTests = Integer.parseInt(value);
                    default -> report = value;
                }
            } catch (PatternSyntaxException | NumberFormatException nonsense) {
                return option + " " + value + " makes no sense";
            }
        }
        return null;
    }

    private List<String> run() throws Exception {
        List<String> line = new ArrayList<>(List.of("-sc", "false", "-t", tests, "-r", report));
        line.addAll(
                quick
                        // One short-lived JVM for each test, and no second one with code that the compiler varies.
                        ? quick()
                        : List.of("-m", "default", "-jvmArgs", "-Xmx512m"));
        Options options = new Options(line.toArray(String[]::new));
        if (!options.parse()) {
            return List.of("jcstress did not accept " + String.join(" ", line));
        }
        Files.createDirectories(Path.of(report));
        try {
            new JCStress(options) {
                @Override
                public SortedSet<String> getTests() {
                    // Asked for when configurations are known. Biased locks are off and deprecated since JDK 15.
                    VMSupport.getAvailableVMConfigs()
                            .removeIf(config -> quick && config.args().contains("-XX:+UseBiasedLocking"));
                    return super.getTests();
                }
            }.run();
        } catch (AssertionError failedTests) {
            // jcstress ends so after its report when a test failed; the same results are judged here.
            System.out.println("stress: jcstress reports failed tests");
        }
        return judge(read(Path.of(options.getResultFile())));
    }

    private static List<String> quick() {
        List<String> line = new ArrayList<>(List.of(QUICK.split(" ")));
        line.addAll(List.of("-jvmArgs", QUICK_JVM));
        return line;
    }

    private static Collection<TestResult> read(Path blob) throws IOException, ClassNotFoundException {
        InProcessCollector collector = new InProcessCollector();
        DiskReadCollector reader = new DiskReadCollector(blob.toString(), collector);
        reader.dump();
        reader.close();
        Files.delete(blob);
        return collector.getTestResults();
    }

    private List<String> judge(Collection<TestResult> results) {
        List<String> complaints = new ArrayList<>();
        Map<String, Integer> ran = new TreeMap<>();
        for (TestResult result : results) {
            ran.merge(result.getName(), 1, Integer::sum);
            if (result.status() != Status.NORMAL || !result.grading().isPassed) {
                complaints.add(result.getName() + " failed with status " + result.status() + ": "
                        + String.join(" | ", result.grading().failureMessages));
            }
        }
        int processors = Runtime.getRuntime().availableProcessors();
        int skipped = 0;
        for (String test : planned()) {
            int actors = TestList.getInfo(test).threads();
            if (actors > processors) {
                skipped++;
                System.out.println(
                        "stress: " + test + " skipped: " + actors + " actors, " + processors + " processors");
            } else if (!ran.containsKey(test)) {
                complaints.add(test + " did not run");
            }
        }
        if (ran.size() < minTests) {
            complaints.add("only " + ran.size() + " tests ran, at least " + minTests + " were asked for");
        }
        System.out.println("stress: " + Plural.of(ran.size(), "test") + " ran in "
                + Plural.of(results.size(), "configuration") + ", " + skipped + " skipped, "
                + Plural.of(complaints.size(), "complaint"));
        return complaints;
    }

    private Collection<String> planned() {
        Pattern pattern = Pattern.compile(tests);
        Collection<String> planned = new TreeSet<>(TestList.tests());
        planned.removeIf(test -> !pattern.matcher(test).find());
        return planned;
    }
}
