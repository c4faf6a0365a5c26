package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.taskgraph.SystemPropertyException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every option can be set by a system property, and what is no value is refused by name with the way out. */
@Timeout(60)
class RdgOptionsTest {
    private static final String PREFIX = "frameloom.rdg.";

    /**
     * A system property.
     *
     * @param name its name without the prefix
     * @param value a value other than the default
     * @param option reads the option
     * @param expected what the option is with the value
     * @param bad what is no value
     * @param help what the message offers
     */
    private record Property(
            String name, String value, Function<RdgOptions, Object> option, Object expected, String bad, String help) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Property flag(String name, Function<RdgOptions, Object> option, boolean expected) {
        return new Property(name, String.valueOf(expected), option, expected, "yes", "true or false");
    }

    static List<Property> properties() {
        return List.of(
                new Property("async", "all", RdgOptions::async, AsyncCompute.ALL, "on", "off, tagged, all, measured"),
                new Property(
                        "order", "unordered", RdgOptions::order, PassOrder.UNORDERED, "any", "declared, unordered"),
                new Property(
                        "waitStageScope",
                        "exact",
                        options -> options.policy().waitStageScope(),
                        WaitStageScope.EXACT,
                        "some",
                        "all, exact"),
                new Property(
                        "schedule",
                        "random:7",
                        options -> options.policy().schedule(),
                        PassSchedule.random(7),
                        "best",
                        "takes program, random:SEED, memory, batch or overlap"),
                flag("hoistBarriers", options -> options.policy().hoistBarriers(), true),
                flag("splitBarriers", options -> options.policy().splitBarriers(), true),
                new Property(
                        "heapSearch",
                        "always",
                        options -> options.policy().heapSearch(),
                        HeapSearch.ALWAYS,
                        "true",
                        "off, reused, always"),
                flag("cullPasses", RdgOptions::cullPasses, false),
                flag("reusePlans", RdgOptions::reusePlans, false),
                flag("mergeRenderPasses", RdgOptions::mergeRenderPasses, false),
                flag("overlapStorageWrites", RdgOptions::overlapStorageWrites, false),
                flag("aliasing", RdgOptions::aliasing, false),
                new Property("passMin", "2", RdgOptions::passMin, 2, "0", "from 1 to 2147483647"),
                new Property("passMax", "7", RdgOptions::passMax, 7, "-1", "from 1 to 2147483647"),
                flag("debug", RdgOptions::debug, true),
                flag("immediate", o -> o.diagnostics().immediate(), true),
                flag("serialise", o -> o.diagnostics().serialise(), true),
                new Property(
                        "clobber", "nan", o -> o.diagnostics().clobber(), Clobber.NAN, "1", "off, large, nan, inf"),
                new Property(
                        "recording",
                        "stress",
                        o -> o.diagnostics().recording(),
                        RecordingMode.STRESS,
                        "2",
                        "serial, parallel, stress"),
                flag("labels", o -> o.diagnostics().labels(), false),
                flag("validation", o -> o.diagnostics().validation(), true),
                flag("compileTimes", o -> o.diagnostics().compileTimes(), true),
                new Property(
                        "capture",
                        "depth@2; picture",
                        o -> o.diagnostics().captures(),
                        List.of(Capture.of("depth").withVersion(2), Capture.of("picture")),
                        "depth@x",
                        "name[@version]"),
                new Property(
                        "captureFolder", "a/b", o -> o.diagnostics().captureFolder(), Path.of("a/b"), "", "a folder"),
                flag("captureAliasing", o -> o.diagnostics().captureAliasing(), false),
                new Property(
                        "dump",
                        "states",
                        o -> o.diagnostics().watch().dump(),
                        PlanDumpMode.STATES,
                        "3",
                        "off, dependencies, states, timeline"),
                new Property(
                        "dumpFolder", "d", o -> o.diagnostics().watch().dumpFolder(), Path.of("d"), " ", "a folder"),
                flag("transitionLog", o -> o.diagnostics().watch().transitionLog(), true),
                new Property(
                        "breakpoint",
                        "execute",
                        o -> o.diagnostics().watch().breakpoint(),
                        Breakpoint.EXECUTE,
                        "4",
                        "off, warning, compile, execute, resource"),
                new Property(
                        "graphFilter",
                        "frame*",
                        o -> o.diagnostics().watch().graphs(),
                        new NameFilter("frame*"),
                        "!",
                        "write a name"),
                new Property(
                        "passFilter",
                        "!bloom*",
                        o -> o.diagnostics().watch().passes(),
                        new NameFilter("!bloom*"),
                        "",
                        "write a name"),
                new Property(
                        "resourceFilter",
                        "depth",
                        o -> o.diagnostics().watch().resources(),
                        new NameFilter("depth"),
                        "",
                        "write a name"));
    }

    private static RdgOptions with(String name, String value) {
        System.setProperty(PREFIX + name, value);
        try {
            return RdgOptions.defaults().withSystemProperties();
        } finally {
            System.clearProperty(PREFIX + name);
        }
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aPropertyWinsOverTheCode(Property property) {
        assertThat(property.option.apply(RdgOptions.defaults())).isNotEqualTo(property.expected);
        RdgOptions set = with(property.name, property.value);
        assertThat(property.option.apply(set)).isEqualTo(property.expected);
        Set<String> changed = properties().stream()
                .filter(each -> !each.option.apply(set).equals(each.option.apply(RdgOptions.defaults())))
                .map(Property::name)
                .collect(Collectors.toSet());
        // What is captured without a folder of its own goes to one.
        assertThat(changed)
                .containsExactlyInAnyOrderElementsOf(
                        property.name.equals("capture") ? List.of("capture", "captureFolder") : List.of(property.name));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aBadValueIsRefusedByNameWithTheWayOut(Property property) {
        assertThatThrownBy(() -> with(property.name, property.bad))
                .isInstanceOf(SystemPropertyException.class)
                .hasMessageContaining("system property " + PREFIX + property.name)
                .hasMessageContaining(property.help);
    }

    @Test
    void everyOptionHasAProperty() {
        Set<String> options = Stream.of(RdgOptions.class, PlanPolicy.class, RdgDiagnostics.class, RdgWatch.class)
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .map(RecordComponent::getName)
                .map(name -> switch (name) {
                    case "captures" -> "capture";
                    case "graphs", "passes" -> name.equals("graphs") ? "graphFilter" : "passFilter";
                    case "resources" -> "resourceFilter";
                    default -> name;
                })
                .filter(name ->
                        !Set.of("policy", "diagnostics", "watch", "listener").contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(properties().stream().map(Property::name)).containsExactlyInAnyOrderElementsOf(options);
    }

    @Test
    void limitsOfGroupsAreChecked() {
        assertThatThrownBy(() -> with("passMin", "33"))
                .isInstanceOf(SystemPropertyException.class)
                .hasMessage("system property frameloom.rdg.passMin must leave passMin <= passMax, got 33 and 32");
        System.setProperty(PREFIX + "framesInFlight", "9");
        try {
            assertThatThrownBy(() -> FrameExecutorOptions.defaults().withSystemProperties())
                    .isInstanceOf(SystemPropertyException.class)
                    .hasMessage("system property frameloom.rdg.framesInFlight must be a whole number from 1 to 8,"
                            + " got '9'");
        } finally {
            System.clearProperty(PREFIX + "framesInFlight");
        }
    }

    @Test
    void theNamesAreThoseThatAreRead() {
        Set<String> read = new TreeSet<>(Set.of(
                "framesInFlight",
                "timestamps",
                "statistics",
                "serialRecording",
                "poolFrames",
                "heapsPerFrame",
                "inlineSubmission")); // of FrameExecutorOptions
        properties().forEach(property -> read.add(property.name));
        assertThat(RdgOptions.propertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        read.stream().map(PREFIX::concat).toList());
    }

    @Test
    void whatNothingReadsIsToldWithTheNearestNames() {
        Properties set = new Properties();
        RdgOptions.propertyNames().forEach(name -> set.setProperty(name, "x"));
        set.setProperty("frameloom.gpu.device", "virtual");
        set.setProperty("frameloom.cache.folder", "x");
        set.setProperty("frameloom.taskgraph.workers", "1");
        set.setProperty("frameloom.taskgraph.spareWorkers", "1");
        set.setProperty("frameloom.taskgraph.reservedWorkers", "1");
        set.setProperty("frameloom.taskgraph.spinNanos", "1");
        set.setProperty("frameloom.reports", "of the build");
        set.setProperty("frameloom.testThorough", "of the build");
        set.setProperty("java.home", "x");
        assertThat(RdgOptions.unknownProperties(set)).isEmpty();
        set.setProperty("frameloom.rgd.debug", "true");
        set.setProperty("frameloom.rdg.cull", "false");
        set.setProperty("frameloom.gpu.validate", "true");
        List<String> unknown = RdgOptions.unknownProperties(set);
        assertThat(unknown).hasSize(3);
        assertThat(unknown.get(0))
                .startsWith("nothing reads the system property 'frameloom.gpu.validate';"
                        + " the nearest are 'frameloom.gpu.validation'");
        assertThat(unknown.get(1))
                .startsWith("nothing reads the system property 'frameloom.rdg.cull';"
                        + " the nearest are 'frameloom.rdg.cullPasses', ");
        assertThat(unknown.get(2))
                .startsWith("nothing reads the system property 'frameloom.rgd.debug';"
                        + " the nearest are 'frameloom.rdg.debug'");
    }

    @Test
    void aMisspeltNameIsRefusedWithTheNearest() {
        assertThatThrownBy(() -> with("heapsearch", "off"))
                .isInstanceOf(SystemPropertyException.class)
                .hasMessageStartingWith("system property frameloom.rdg.heapsearch is read by nothing;"
                        + " the nearest are 'frameloom.rdg.heapSearch', ");
    }

    @Test
    void filtersMatchNames() {
        assertThat(new NameFilter("frame *").matches("frame 12")).isTrue();
        assertThat(new NameFilter("frame ?").matches("frame 12")).isFalse();
        assertThat(new NameFilter("*a*b").matches("xaayab")).isTrue();
        assertThat(new NameFilter("*a*b").matches("xaayac")).isFalse();
        assertThat(new NameFilter("depth").matches("depth")).isTrue();
        assertThat(new NameFilter("depth").matches("depths")).isFalse();
        assertThat(new NameFilter("a.c").matches("abc")).isFalse();
        assertThat(new NameFilter("!a*").matches("abc")).isFalse();
        assertThat(new NameFilter("!a*").matches("xbc")).isTrue();
        assertThat(new NameFilter("*").matches("")).isTrue();
    }

    @Test
    void modesThatLookAtSinglePassesMergeNone() {
        RdgOptions defaults = RdgOptions.defaults();
        assertThat(PlanCompiler.implied(defaults)).isEqualTo(defaults);
        RdgOptions stress = PlanCompiler.implied(
                defaults.withDiagnostics(RdgDiagnostics.none().withRecording(RecordingMode.STRESS)));
        assertThat(stress.mergeRenderPasses()).isFalse();
        assertThat(stress.passMax()).isEqualTo(1);
        assertThat(stress.async()).isEqualTo(AsyncCompute.TAGGED);
        RdgOptions serial = PlanCompiler.implied(
                defaults.withDiagnostics(RdgDiagnostics.none().withSerialise(true)));
        assertThat(serial.mergeRenderPasses()).isFalse();
        assertThat(serial.passMax()).isEqualTo(1);
        assertThat(serial.async()).isEqualTo(AsyncCompute.OFF);
    }

    /** As everywhere the property wins, for graphs that were given options, too. */
    @Test
    void graphsWithOptionsHearTheDebugProperty() {
        System.setProperty(PREFIX + "debug", "true");
        try {
            RenderGraph graph = new RenderGraph("frame", RdgOptions.defaults());
            assertThatThrownBy(() -> graph.addPass("p", PassKind.COMPUTE).renderArea(0, 0, 1, 1))
                    .hasMessageContaining("RdgOptionsTest");
        } finally {
            System.clearProperty(PREFIX + "debug");
        }
    }
}
