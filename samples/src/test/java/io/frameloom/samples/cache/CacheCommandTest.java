package io.frameloom.samples.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.program.CachedPrograms;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramDriver;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.cache.program.ProgramKind;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import io.frameloom.samples.SteeringName;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CacheCommandTest {
    private static final String DIGEST = "0123456789abcdef".repeat(3);
    private static final Compatibility DEVICE = new Compatibility(
            new CanonicalFields().text("renderer", "test\u001b[31m device").text("digest", DIGEST));

    @TempDir
    private Path root;

    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    private static Run cache(String command, Path... paths) {
        String[] arguments = Stream.concat(
                        Stream.of("cache", command), Stream.of(paths).map(Path::toString))
                .toArray(String[]::new);
        return run(arguments);
    }

    /** Text that stands for a program. */
    private record Words(String text) implements ProgramDriver<String> {
        @Override
        public @Nullable String load(byte[] binary) {
            return new String(binary, StandardCharsets.UTF_8);
        }

        @Override
        public Built<String> build() {
            return new Built<>(text, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private Path filled(String name, int programs) {
        Path folder = root.resolve(name);
        try (TaskGraph graph = TaskGraph.builder().name("filling").workers(1).build();
                CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.in(folder), graph)) {
            for (int i = 0; i < programs; i++) {
                ProgramKey key = new ProgramKey(
                        ProgramKind.SHADER, "n", DEVICE, new CanonicalFields().text("file", "shader " + i));
                cache.obtain(key, new Words("program " + i));
            }
        }
        return folder;
    }

    private static List<Path> programs(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".program"))
                    .sorted()
                    .toList();
        }
    }

    private void refuses(String part, Run run) {
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains(part).doesNotContain("Exception").doesNotContain("\tat ");
    }

    @Test
    void explainsItself() {
        Run help = run("cache", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("list", "verify", "clear", "export", "import");
        assertThat(run("cache", "export", "--help").out()).contains("DIR", "BUNDLE");
        refuses("list, verify, clear, export, import", run("cache"));
        refuses("burn", run("cache", "burn"));
        refuses("DIR", run("cache", "list"));
        refuses("DIR", run("cache", "list", ""));
        refuses("more", run("cache", "verify", "a", "more"));
        refuses("--pipelines", run("cache", "measure", root.toString(), "--pipelines", "0"));
        String missing = root.resolve("c").toString();
        refuses("Voodoo", run("cache", "measure", missing, "--device", "Voodoo"));
        refuses("Voodoo", run("cache", "measure", missing + "ompare", "--compare", "--device", "Voodoo"));
        refuses("the virtual GPU has no driver", run("cache", "measure", missing, "--compare", "--device", "virtual"));
    }

    @Test
    void listsProgramsAndWhatTheyAreFor() {
        Path folder = filled("cache", 3);
        Run run = run("cache", "list", "--all", folder.toString());
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "shader-",
                        "renderer=test\\u001b[31m device",
                        "digest=" + DIGEST,
                        "file=shader 0",
                        "file=shader 2")
                .contains("3 programs, ")
                .doesNotContain("\u001b");
        Run summary = cache("list", folder);
        assertThat(summary.code()).isZero();
        assertThat(summary.out().lines()).hasSize(3);
        assertThat(summary.out())
                .contains("shader-", "renderer=test\\u001b[31m device", "3 programs, ")
                .doesNotContain("file=shader", DIGEST, "\u001b");
    }

    @Test
    void verifyFindsDamageAndNamesIt() throws IOException {
        Path folder = filled("cache", 3);
        Run whole = cache("verify", folder);
        assertThat(whole.code()).isZero();
        assertThat(whole.out()).contains("3 programs").contains(" 0 damaged");

        Path damaged = programs(folder).get(1);
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length - 1] ^= 1;
        Files.write(damaged, bytes);
        Path stranger = Files.writeString(damaged.resolveSibling("notes.txt"), "mine");
        Run run = cache("verify", folder);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains(damaged + " has another checksum", stranger + " does not belong here")
                .contains("2 programs, ")
                .contains(" 2 damaged");
    }

    @Test
    void namesDoNotSteerTheTerminal() throws IOException {
        Path folder = filled(SteeringName.RAW, 1);
        Files.writeString(programs(folder).get(0).resolveSibling(SteeringName.RAW), "");
        String shown = root + "/" + SteeringName.SHOWN;
        Run verified = cache("verify", folder);
        assertThat(verified.out())
                .startsWith(shown + "/")
                .contains("/" + SteeringName.SHOWN + " does not belong here\n");
        Run exported = cache("export", folder);
        assertThat(exported.out()).isEqualTo("1 program exported to " + shown + ".zip, 1 damaged left out\n");
        Run imported = cache("import", folder);
        assertThat(imported.out()).isEqualTo("0 programs imported from " + shown + ".zip, 1 was there already\n");
        Run missing = cache("list", folder.resolve("none"));
        assertThat(missing.err()).contains(shown + "/none");
        assertThat(List.of(verified.out(), exported.out(), imported.out(), missing.err()))
                .allMatch(SteeringName::isAbsentFrom);
    }

    @Test
    void clearDeletesProgramsAndKeepsACache() throws IOException {
        Path folder = filled("cache", 3);
        Run run = cache("clear", folder);
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("3 programs deleted, ");
        assertThat(programs(folder)).isEmpty();
        assertThat(cache("list", folder).out()).startsWith("0 programs");
        filled("cache", 2);
        assertThat(cache("verify", folder).out()).startsWith("2 programs");
    }

    @Test
    void whatIsExportedCanBeImportedElsewhere() throws IOException {
        Path folder = filled("cache", 3);
        Path bundle = root.resolve("bundle");
        assertThat(cache("export", folder, bundle).out()).startsWith("3 programs exported to " + bundle);
        Path copy = root.resolve("new/copy");
        assertThat(cache("import", copy, bundle).out())
                .startsWith("3 programs imported")
                .contains(" 0 were there");
        assertThat(programs(copy)).hasSize(3);
        for (Path program : programs(folder)) {
            assertThat(copy.resolve(folder.relativize(program))).hasSameBinaryContentAs(program);
        }
        assertThat(cache("verify", copy).code()).isZero();
        assertThat(cache("import", copy, bundle).out())
                .startsWith("0 programs imported")
                .contains(" 3 were there");
        // Equal caches give equal bundles.
        Path second = root.resolve("second");
        cache("export", copy, second);
        assertThat(second).hasSameBinaryContentAs(bundle);
    }

    @Test
    void withoutANameTheBundleLiesBesideTheCache() throws IOException {
        Path folder = filled("cache", 1);
        assertThat(cache("export", folder).code()).isZero();
        assertThat(root.resolve("cache.zip")).isNotEmptyFile();
        cache("clear", folder);
        assertThat(cache("import", folder).code()).isZero();
        assertThat(programs(folder)).hasSize(1);
    }

    @Test
    void anExportReplacesNothingButAnExport() throws IOException {
        Path folder = filled("cache", 2);
        Path marker = folder.resolve("frameloom-cache");
        byte[] marked = Files.readAllBytes(marker);
        refuses("inside of the cache", cache("export", folder, marker));
        refuses("inside of the cache", cache("export", folder, folder.resolve("lock")));
        refuses("inside of the cache", cache("export", folder, folder.resolve("new.zip")));
        Path foreign = Files.writeString(root.resolve("mine.zip"), "mine");
        refuses("not exported from a program cache", cache("export", folder, foreign));
        assertThat(foreign).hasContent("mine");
        assertThat(marker).hasBinaryContent(marked);
        assertThat(folder.resolve("new.zip")).doesNotExist();
        assertThat(cache("export", folder).code()).isZero();
        cache("clear", folder);
        assertThat(cache("export", folder).out()).startsWith("0 programs exported");
    }

    @Test
    void anExportThatHasNoPlaceNamesTheFolder() throws IOException {
        Path folder = filled("cache", 1);
        refuses("there is no folder " + root.resolve("none"), cache("export", folder, root.resolve("none/x.zip")));
        assumeTrue(Files.isDirectory(Path.of("/proc")), "no folder that takes no files");
        Run proc = cache("export", folder, Path.of("/proc/x.zip"));
        refuses("no file can be created in /proc", proc);
        assertThat(proc.err()).doesNotContain(".tmp");
    }

    @Test
    void damagedProgramsAreNotExported() throws IOException {
        Path folder = filled("cache", 3);
        Files.write(programs(folder).get(0), new byte[10]);
        Run run = cache("export", folder, root.resolve("bundle"));
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("2 programs exported").contains("1 damaged left out");
    }

    /** One bit of every 151st byte is wrong or, in a thorough run, of every seventh. */
    @Test
    void aDamagedBundleImportsNothing() throws IOException {
        Path folder = filled("cache", 3);
        Path bundle = root.resolve("bundle");
        cache("export", folder, bundle);
        byte[] whole = Files.readAllBytes(bundle);
        Path target = root.resolve("target");
        int refused = 0;
        for (int at = 0; at < whole.length; at += TestEffort.of(151, 7)) {
            byte[] bytes = whole.clone();
            bytes[at] ^= 0x10;
            Files.write(bundle, bytes);
            Run run = cache("import", target, bundle);
            if (run.code() != 0) {
                refuses("bundle", run);
                assertThat(target).doesNotExist();
                refused++;
            } else {
                // A bit of the archive that means nothing: what came in is whole.
                assertThat(cache("verify", target).code()).isZero();
                cache("clear", target);
                deleteAll(target);
            }
        }
        assertThat(refused).isPositive();
        for (byte[] bytes :
                new byte[][] {"no archive".getBytes(StandardCharsets.UTF_8), {}, Arrays.copyOf(whole, 300)}) {
            Files.write(bundle, bytes);
            refuses("was not exported from a program cache, or is cut off", cache("import", target, bundle));
        }
        refuses("there is no", cache("import", target, root.resolve("none")));
        refuses("the folder of the cache comes first, then the bundle", cache("import", bundle, target));
        assertThat(target).doesNotExist();
    }

    @Test
    void aBundleThatDoesNotFitTheBudgetImportsNothing() throws IOException {
        Path bundle = root.resolve("bundle");
        cache("export", filled("cache", 3), bundle);
        Path target = root.resolve("target");
        String[] importing = {"cache", "import", target.toString(), bundle.toString(), "--disk-bytes"};
        refuses("does not fit", run(with(importing, "100")));
        refuses("--disk-bytes", run(with(importing, "0")));
        assertThat(target).doesNotExist();
        assertThat(run(with(importing, "100000")).out()).startsWith("3 programs imported");
    }

    private static String[] with(String[] arguments, String last) {
        return Stream.concat(Stream.of(arguments), Stream.of(last)).toArray(String[]::new);
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void foldersThatAreNoCacheAreRefusedAndLeftAlone() throws IOException {
        Path foreign = Files.createDirectory(root.resolve("foreign"));
        Files.writeString(foreign.resolve("letter.txt"), "mine");
        Path file = Files.writeString(root.resolve("file"), "");
        Path real = filled("cache", 1);
        Path link = Files.createSymbolicLink(root.resolve("link"), real);
        Path bundle = root.resolve("bundle");
        cache("export", real, bundle);
        for (String command : List.of("list", "verify", "clear")) {
            refuses("no program cache", cache(command, foreign));
            refuses("is a file", cache(command, file));
            refuses("is not there", cache(command, root.resolve("nowhere")));
            refuses("symbolic link", cache(command, link));
        }
        refuses("symbolic link", cache("export", link, root.resolve("second")));
        refuses("no program cache", cache("import", foreign, bundle));
        refuses("is a file", cache("import", file, bundle));
        refuses("symbolic link", cache("import", link, bundle));
        refuses("is a folder", cache("export", real, foreign));
        assertThat(root.resolve("second")).doesNotExist();
        assertThat(root.resolve("nowhere")).doesNotExist();
        try (Stream<Path> left = Files.list(foreign)) {
            assertThat(left).containsExactly(foreign.resolve("letter.txt"));
        }
        // JUnit warns of links that lead out of its folder.
        Files.delete(link);
    }

    @Test
    void aWarmStartCompilesNothing() {
        assumeTrue(VulkanDevices.unavailableReason().isEmpty(), VulkanDevices.unavailableReason());
        String[] arguments = {"cache", "measure", root.resolve("measured").toString(), "--pipelines", "2"};
        Run cold = run(arguments);
        assertThat(cold.code()).as(cold.err()).isZero();
        assertThat(cold.out()).contains("2 pipelines on ").contains("compiled 5, from disk 0");
        assertThat(run(arguments).out()).contains("compiled 0, from disk");
    }

    @Test
    @Tag("thorough")
    void aColdAndAWarmStartAreComparedInProcessesOfTheirOwn() {
        assumeTrue(VulkanDevices.unavailableReason().isEmpty(), VulkanDevices.unavailableReason());
        Path folder = root.resolve("compared");
        Run run = run("cache", "measure", folder.toString(), "--pipelines", "4", "--compare");
        assertThat(run.code()).as(run.err()).isIn(0, 3);
        assertThat(run.out())
                .contains("cold start:")
                .contains("compiled 9, from disk 0")
                .contains("compiled 0, from disk")
                .containsPattern("warm starts are [0-9.]+ times as fast");
        refuses("is there already", run("cache", "measure", folder.toString(), "--compare"));
    }
}
