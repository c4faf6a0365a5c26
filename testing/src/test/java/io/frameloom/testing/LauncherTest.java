package io.frameloom.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The parts of {@code ./frameloom} that neither build nor install anything. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(60)
class LauncherTest {

    private static final Path LAUNCHER =
            Path.of("..", "frameloom").toAbsolutePath().normalize();

    private record Ended(int status, String out, String err) {}

    @TempDir
    Path dir;

    @Test
    void helpListsEveryCommandAndIsTheDefault() throws Exception {
        Ended help = run(LAUNCHER, Map.of(), "help");
        assertThat(help.out())
                .contains(
                        "\n  demo ",
                        "\n  test ",
                        "stress [--quick]",
                        "\n  bench ",
                        "cache COMMAND DIR",
                        "\n  devices ",
                        "-Dname=value");
        assertThat(help.err()).isEmpty();
        assertThat(help.status()).isZero();
        assertThat(run(LAUNCHER, Map.of())).isEqualTo(help);
    }

    @Test
    void anUnknownCommandOrArgumentIsOneLineAndStatusTwo() throws Exception {
        for (String[] nonsense : new String[][] {
            {"fly"}, {"--demo"}, {"-Dname"}, {"-D=value"}, {"version", "all"}, {"test", "twice"}, {""}
        }) {
            Ended ended = run(LAUNCHER, Map.of(), nonsense);
            assertThat(ended.status()).as(String.join(" ", nonsense)).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err().lines()).hasSize(1);
            assertThat(ended.err()).startsWith("frameloom: ").contains(nonsense[nonsense.length - 1]);
        }
    }

    @Test
    void theBundleExplainsItsStressTestsBeforeItUnpacks() throws Exception {
        Path bundled = LAUNCHER.resolveSibling("benchmarks").resolve("bundle-run");
        for (String option : new String[] {"--help", "-h"}) {
            Ended ended = run(
                    bundled,
                    Map.of("FRAMELOOM_UNPACKED", dir.resolve("unpacked").toString()),
                    "stress",
                    option);
            assertThat(ended.status()).as(ended.err()).isZero();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).contains("Usage: run stress", "--quick ", "--test REGEX", "-h, --help");
        }
        assertThat(dir.resolve("unpacked")).doesNotExist();
    }

    @Test
    void theBundleMeasuresNothingWhereItIsAskedForHelpOrPictures() throws Exception {
        Path bundled = LAUNCHER.resolveSibling("benchmarks").resolve("bundle-run");
        Map<String, String> environment =
                Map.of("FRAMELOOM_UNPACKED", dir.resolve("unpacked").toString());
        for (String[] command :
                new String[][] {{"beside-cub", "--help"}, {"beside-cub", "-h"}, {"beside-cub", "--quick", "--help"}}) {
            Ended ended = run(bundled, environment, command);
            assertThat(ended.status()).as(ended.err()).isZero();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).contains("Usage: run beside-cub", "--json FILE", "bench --gpu compute --help");
        }
        Ended pictures = run(bundled, environment, "beside-cub", "--from", "rows.json", "--plots", "pictures");
        assertThat(pictures.status()).isEqualTo(2);
        assertThat(pictures.out()).isEmpty();
        assertThat(pictures.err()).contains("run bench --gpu compute --from").hasLineCount(1);
        assertThat(dir.resolve("unpacked")).doesNotExist();
    }

    @Test
    void theBundleMeasuresCubBesideTheBenchmark() throws Exception {
        Path bundled = Files.copy(
                LAUNCHER.resolveSibling("benchmarks").resolve("bundle-run"),
                dir.resolve("run"),
                StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(dir.resolve("id"), "1");
        Path unpacked = Files.createDirectories(dir.resolve("unpacked/1"));
        Files.createFile(unpacked.resolve("complete"));
        Files.createDirectories(unpacked.resolve("libs"));
        script(Files.createDirectories(unpacked.resolve("jre/bin")).resolve("java"), "echo \"java $*\"");
        Map<String, String> environment =
                Map.of("FRAMELOOM_UNPACKED", dir.resolve("unpacked").toString());
        Path rows = Files.writeString(dir.resolve("rows.json"), "ours\n");
        String[] command = {"beside-cub", "--sizes", "20,24", "--work", "scan", "--json", rows.toString(), "--quick"};
        Ended without = run(bundled, environment, command);
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.err()).contains("made without nvcc");
        script(Files.createDirectories(unpacked.resolve("cuda")).resolve("cub_scan"), "echo \"cub $*\"");
        Ended both = run(bundled, environment, command);
        assertThat(both.status()).as(both.err()).isZero();
        assertThat(both.out().lines()).hasSize(2);
        assertThat(both.out())
                .startsWith("java ")
                .contains(" --gpu compute --sizes 20,24 --work scan --json " + rows + " --quick\n")
                .endsWith("\ncub --sizes 20,24 --quick\n");
        assertThat(rows).content().isEqualTo("ours\ncub --sizes 20,24 --quick\n");
        script(unpacked.resolve("jre/bin/java"), "exit 1");
        assertThat(run(bundled, environment, command).status())
                .as("of figures of which ours are wrong")
                .isEqualTo(1);
    }

    @Test
    void stressRunsLincheckThroughMavenAndThenJcstress() throws Exception {
        Path tools = Files.createDirectories(dir.resolve("maven"));
        script(tools.resolve("mvn"), "echo \"mvn $*\"");
        Path sourcing = dir.resolve("sourcing");
        // What needs a JDK and a built jar is replaced; how Lincheck is started is not.
        script(
                sourcing,
                ". '" + LAUNCHER + "'; need_tools() { :; };"
                        + " run_stress() { echo \"jcstress $*\"; stress_passed=3 stress_failed=0 stress_skipped=1; };"
                        + " stress --quick");
        Ended ended = run(sourcing, Map.of("PATH", tools + java.io.File.pathSeparator + System.getenv("PATH")));
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.out().lines()).hasSize(3);
        assertThat(ended.out())
                .contains("-pl stress-tests", "-Dtest=*LincheckTest")
                .endsWith("jcstress --quick\n3 passed, 0 failed, 1 skipped\n");
    }

    /** Runs the tests, of which what takes a JDK, a driver or Maven prints what it is called with. */
    private Ended runTests(String... options) throws Exception {
        Path release = Files.createDirectories(dir.resolve("release"));
        script(release.resolve("stage"), "echo \"stage $*\"");
        script(release.resolve("try-consumers"), "echo \"consumers $*\"");
        Path testing = Files.createDirectories(dir.resolve("testing"));
        script(testing.resolve("slurm-farm"), "echo \"farm $*\"");
        Files.writeString(
                dir.resolve("pom.xml"),
                "<artifactId>frameloom-parent</artifactId>\n<version>1.2.3-SNAPSHOT</version>\n");
        Path sourcing = dir.resolve("sourcing");
        script(
                sourcing,
                ". '" + LAUNCHER + "'; root='" + dir
                        + "'; JAVA_HOME=/jdks/17; need_tools() { :; }; want_packages() { :; };"
                        + " is_root() { :; }; has_slurm() { :; };"
                        + " jdk_version() { echo \"${1##*/}\"; }; find_newest_jdk() { newest_jdk=/jdks/25; };"
                        + " fetch_newer_lavapipe() { newer_driver=/newer.json newer_libraries=/libraries; };"
                        + " maven() { echo \"maven $* on ${VK_DRIVER_FILES:-installed ${VK_ADD_DRIVER_FILES}}\";"
                        + " local at=$root/module/target/surefire-reports; [[ $* != *-newest* ]] || at+=-newest;"
                        + " mkdir -p $at/drivers;"
                        + " printf '%s\\t%s\\tmethod\\n' Old OneTest Old TwoTest New OneTest >$at/drivers/drivers-1.txt; };"
                        + " run_stress() { stress_passed=3 stress_failed=0 stress_skipped=0; };"
                        + " main test \"$@\"");
        Ended ended = run(
                sourcing, Map.of("VK_DRIVER_FILES", "", "VK_ADD_DRIVER_FILES", "", "VK_ICD_FILENAMES", ""), options);
        assertThat(ended.status()).as(ended.err()).isZero();
        return ended;
    }

    @Test
    void theUsualRunHasOnePass() throws Exception {
        Ended ended = runTests();
        assertThat(ended.out().lines()).hasSize(2);
        assertThat(ended.out().lines().findFirst().orElseThrow())
                .contains("verify", "-DexcludedGroups=thorough")
                .endsWith("on installed /newer.json");
        assertThat(ended.err())
                .contains("tests that opened a device of New: 1 (", "tests that opened a device of Old: 2 (")
                .doesNotContain("JDK 25");
        assertThat(dir.resolve("target/drivers.txt"))
                .hasContent("New\tOneTest\tmethod\nOld\tOneTest\tmethod\nOld\tTwoTest\tmethod\n");
    }

    @Test
    void theSecondPassOfAThoroughRunTakesAllTestsAndANewerDriver() throws Exception {
        Ended ended = runTests("--thorough");
        assertThat(ended.out().lines()).hasSize(6);
        assertThat(ended.out())
                .contains(
                        "stage 1.2.3 " + dir.resolve("target/release") + '\n',
                        "consumers 1.2.3 " + dir.resolve("target/release") + '\n',
                        "farm " + dir.resolve("target/farm") + '\n')
                .endsWith("\n4 passed, 0 failed, 0 skipped\n");
        assertThat(ended.out().lines().findFirst().orElseThrow()).endsWith("on installed /newer.json");
        assertThat(ended.out().lines().skip(1).findFirst().orElseThrow())
                .contains("-Djvm=/jdks/25/bin/java", "-DexcludedGroups=none")
                .endsWith("on /newer.json");
        assertThat(ended.err()).contains("once more on JDK 25 (/jdks/25) and a newer driver");
    }

    @Test
    void tellsItsVersionWithoutABuild() throws Exception {
        String pom = Files.readString(LAUNCHER.resolveSibling("pom.xml"));
        for (String option : new String[] {"--version", "-V", "version"}) {
            Ended ended = run(LAUNCHER, Map.of("PATH", System.getenv("PATH")), option);
            assertThat(ended.status()).as(ended.err()).isZero();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).matches("frameloom [0-9]\\S+( \\(commit [0-9a-f]+\\))?\n");
            assertThat(pom).contains("<version>" + ended.out().strip().split(" ", -1)[1] + "</version>");
        }
    }

    @Test
    void propertiesBeforeTheCommandReachItsJvm() throws Exception {
        Path java = Files.createDirectories(dir.resolve("jdk/bin")).resolve("java");
        script(java, "for word; do echo \"[$word]\"; done");
        Path sourcing = dir.resolve("sourcing");
        script(
                sourcing,
                ". '" + LAUNCHER + "'; need_tools() { :; }; has_driver() { :; }; has_layers() { :; };"
                        + " build() { :; }; main \"$@\"");
        String[][] commands = {
            {"demo"},
            {"plan", "x"},
            {"match", "x"},
            {"sample", "clip"},
            {"cache", "list", "x"},
            {"devices"},
            {"bench", "--quick"},
            {"bench", "--gpu", "queues"},
            {"bench", "--jmh"},
            {"stress", "--soak", "1"},
            {"stress", "--gpu-soak", "1"},
            {"stress", "--gpu-queues"},
            {"stress", "--gpu-frames"},
            {"stress", "--gpu-litmus"},
            {"stress", "--gpu-compute"}
        };
        Map<String, String> environment = Map.of("JAVA_HOME", dir.resolve("jdk").toString());
        for (String[] command : commands) {
            List<String> words = new ArrayList<>(List.of("-Dframeloom.rdg.async=off", "-Dname=with a space"));
            words.addAll(List.of(command));
            Ended ended = run(sourcing, environment, words.toArray(String[]::new));
            assertThat(ended.status()).as(ended.err()).isZero();
            assertThat(ended.out()).startsWith("[-Dframeloom.rdg.async=off]\n[-Dname=with a space]\n[");
            assertThat(run(sourcing, environment, command).out()).doesNotContain("-Dname");
        }
        for (String[] command : new String[][] {{"test"}, {"stress"}, {"stress", "--quick"}}) {
            List<String> words = new ArrayList<>(List.of("-Dname=value"));
            words.addAll(List.of(command));
            Ended ended = run(sourcing, environment, words.toArray(String[]::new));
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.err()).contains("takes no -Dname=value", "MAVEN_ARGS");
        }
    }

    @Test
    void findsMavenFromAFolderInWhichNoJvmStarts() throws Exception {
        Path bin = Files.createDirectory(dir.resolve("bin"));
        script(bin.resolve("mvn"), "[ \"$PWD\" = / ] && echo 'Apache Maven 3.8.7'");
        Path looking = dir.resolve("looking");
        script(looking, ". '" + LAUNCHER + "'; cd '" + bin + "'; has_maven && echo found");
        assertThat(run(looking, Map.of("PATH", bin + ":" + System.getenv("PATH")))
                        .out())
                .isEqualTo("found\n");
    }

    @Test
    void isFoundThroughLinksFromAnywhere() throws Exception {
        Path there = Files.createDirectory(dir.resolve("some where"));
        Path absolute = Files.createSymbolicLink(there.resolve("absolute link"), LAUNCHER);
        Path relative = Files.createSymbolicLink(dir.resolve("relative link"), Path.of("some where", "absolute link"));
        // Far enough into the script to need its folder: it looks for Maven only after that.
        Ended ended = run(relative, withOldMaven(), "demo", "--help");
        assertThat(run(absolute, withOldMaven(), "demo", "--help")).isEqualTo(ended);
        assertThat(ended.status()).isEqualTo(2);
        // JUnit warns of links that lead out of its folder.
        Files.delete(absolute);
    }

    @Test
    void withoutTheRightToInstallItSaysWhatIsMissing() throws Exception {
        Ended ended = run(LAUNCHER, withOldMaven(), "demo");
        assertThat(ended.err()).contains("Maven 3.8 or later");
        assertThat(ended.out()).isEmpty();
        assertThat(ended.status()).isEqualTo(2);
        if (Files.exists(Path.of("/etc/debian_version"))) {
            assertThat(ended.err()).contains("sudo apt-get install maven");
        }
    }

    @Test
    void findsWhatThePackageListsOfferHoweverMuchTheySayOfIt() throws Exception {
        Path tools = Files.createDirectories(dir.resolve("lists"));
        script(
                tools.resolve("apt-cache"),
                "[ \"$2\" = offered ] || exit 0; echo 'Candidate: 3.8.7-1'; for i in $(seq 20000); do echo line $i; done");
        Path sourcing = dir.resolve("sourcing");
        script(sourcing, ". '" + LAUNCHER + "'; first_offered absent offered");
        Ended ended = run(sourcing, Map.of("PATH", tools + java.io.File.pathSeparator + System.getenv("PATH")));
        assertThat(ended.out()).isEqualTo("offered\n");
        assertThat(ended.status()).isZero();
    }

    /** An environment in which Maven is too old and the user is not root. */
    private Map<String, String> withOldMaven() throws IOException {
        Path tools = Files.createDirectories(dir.resolve("tools"));
        script(tools.resolve("mvn"), "echo 'Apache Maven 3.6.3'");
        script(tools.resolve("id"), "echo 1000");
        return Map.of("PATH", tools + ":" + System.getenv("PATH"), "JAVA_HOME", System.getProperty("java.home"));
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Ended run(Path launcher, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", launcher.toString()));
        command.addAll(List.of(arguments));
        Path out = dir.resolve("out.txt");
        Path err = dir.resolve("err.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            int status = process.waitFor();
            return new Ended(
                    status,
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }
}
