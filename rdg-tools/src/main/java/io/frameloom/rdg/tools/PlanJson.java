package io.frameloom.rdg.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.async.RegionDecision;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanArrays;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.tools.facts.PlanFacts;
import io.frameloom.rdg.tools.file.AccessNames;
import io.frameloom.rdg.tools.file.FileGraph;
import io.frameloom.rdg.tools.file.JsonValues;
import io.frameloom.rdg.tools.file.PlanNames;
import io.frameloom.rdg.tools.file.TargetsJson;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Writes a plan as JSON: the declared graph in the form {@code rdg-case/1}, then the plan. Any thread. */
public final class PlanJson {
    private final CompiledPlan plan;
    private final PlanNames names;
    private final PlanArrays arrays;
    /** Number of each condition, in the order of the first passes that have it. */
    private final IdentityHashMap<BooleanSupplier, Integer> conditions = new IdentityHashMap<>();

    private PlanJson(FramePlan plan) {
        this.plan = CompiledPlan.of(plan);
        this.arrays = this.plan.structure().arrays();
        this.names = new PlanNames(plan);
    }

    /**
     * Writes the declared graph in the form {@code rdg-case/1} together with the plan, as JSON in UTF-8 text.
     *
     * @throws IOException if the writer throws it
     */
    public static void write(FramePlan plan, Writer writer) throws IOException {
        new PlanJson(plan).write(writer);
    }

    private void write(Writer writer) throws IOException {
        JsonFactory factory = JsonFactory.builder().build().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        try (JsonGenerator json = factory.createGenerator(writer)) {
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
            printer.indentArraysWith(new DefaultIndenter("  ", "\n"));
            printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
            json.setPrettyPrinter(printer);
            JsonValues.write(json, all());
        }
    }

    private Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("schema", "rdg-case/1");
        all.put("id", plan.name());
        all.put("mode", mode());
        all.put(
                "queues",
                plan.queues().ofDevice().queues().stream().map(PlanJson::queue).toList());
        all.put("resources", plan.resources().stream().map(this::resource).toList());
        all.put("passes", passes());
        List<List<String>> orders = new ArrayList<>();
        for (int pass = 0; pass < plan.structure().declaredPasses(); pass++) {
            for (int earlier : arrays.after(pass)) {
                orders.add(List.of(names.pass(earlier), names.pass(pass)));
            }
        }
        all.put("explicitDeps", orders);
        all.put("plan", PlanFacts.of(plan, names));
        return all;
    }

    private Map<String, Object> mode() {
        RdgOptions options = plan.options();
        Map<String, Object> mode = new LinkedHashMap<>();
        mode.put("order", "declared");
        mode.put("cull", plan.options().cullPasses() ? "data" : "off");
        if (plan.resources().stream().anyMatch(ResourcePlan::lazy)) {
            mode.put("tiler", true);
        }
        AsyncCompute policy = options.async() == AsyncCompute.MEASURED ? AsyncCompute.TAGGED : options.async();
        mode.put("asyncPolicy", policy.ordinal());
        mode.put("overlapUavs", options.overlapStorageWrites());
        mode.put("mergeRenderPasses", options.mergeRenderPasses());
        mode.put("aliasing", options.aliasing());
        mode.put("waitStageScope", inLowerCase(options.policy().waitStageScope()));
        mode.put("hoistBarriers", options.policy().hoistBarriers());
        mode.put("splitBarriers", options.policy().splitBarriers());
        mode.put("heapSearch", inLowerCase(options.policy().heapSearch()));
        mode.put("passMin", options.passMin());
        mode.put("passMax", options.passMax());
        return mode;
    }

    private static Map<String, Object> queue(QueueTopology.Queue queue) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", queue.name());
        row.put("family", queue.family());
        row.put(
                "caps",
                Arrays.stream(QueueKind.values())
                        .filter(queue.kind()::supports)
                        .map(PlanJson::inLowerCase)
                        .toList());
        return row;
    }

    private Map<String, Object> resource(ResourcePlan resource) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", names.resource(resource.index()));
        row.put("kind", resource.texture() ? "texture" : "buffer");
        memory(row, resource);
        TextureDescription texture = resource.textureDescription();
        if (texture != null) {
            shape(row, texture);
        }
        row.put("lifetime", inLowerCase(resource.lifetime()));
        if (resource.initialLayout() != TextureLayout.UNDEFINED) {
            row.put("initial", Map.of("layout", resource.initialLayout().name()));
        }
        if (arrays.graph().isExclusive(resource.index())) {
            row.put("sharing", "exclusive");
        }
        if (arrays.graph().isDiscardedAfter(resource.index())) {
            row.put("discardAfter", true);
        }
        Access last = arrays.graph().finalAccess(resource.index());
        if (last != null) {
            row.put("final", AccessNames.of(last));
        }
        return row;
    }

    private static void shape(Map<String, Object> row, TextureDescription texture) {
        row.put("mips", texture.mips());
        row.put("layers", texture.layers());
        row.put("planes", texture.format().planes());
        row.put("format", texture.format().name());
        row.put("width", texture.width());
        row.put("height", texture.height());
        if (texture.kind() == TextureKind.THREE_D) {
            row.put("depth", texture.depth());
        } else if (texture.kind() == TextureKind.CUBE) {
            row.put("cube", true);
        }
        if (texture.samples() > 1) {
            row.put("samples", texture.samples());
        }
        if (!texture.viewFormats().isEmpty()) {
            row.put("viewFormats", namesOf(texture.viewFormats()));
        }
        // The compiler marks lazily allocated targets itself, as often as it is asked.
        Set<TextureUsage> usage = EnumSet.noneOf(TextureUsage.class);
        usage.addAll(texture.usage());
        usage.remove(TextureUsage.TRANSIENT_ATTACHMENT);
        row.put("usage", namesOf(usage));
    }

    private static List<String> namesOf(Set<? extends Enum<?>> constants) {
        List<String> names = new ArrayList<>(constants.size());
        constants.forEach(constant -> names.add(constant.name()));
        return names;
    }

    private static String inLowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A transient outside of all heaps, unused or mapped by the host, has no place to share. */
    private void memory(Map<String, Object> row, ResourcePlan resource) {
        row.put("bytes", resource.bytes());
        BufferDescription buffer = resource.bufferDescription();
        if (buffer != null) {
            row.put("size", buffer.bytes());
            row.put("memory", buffer.memory().name());
            row.put("usage", namesOf(buffer.usage()));
        }
        if (resource.heap() >= 0 || resource.lazy()) {
            row.put("align", arrays.alignment(resource.index()));
            row.put("memoryTypes", Integer.toUnsignedLong(arrays.memoryTypes(resource.index())));
        } else if (resource.lifetime() == Lifetime.TRANSIENT && resource.used()) {
            row.put("noAlias", true);
        }
    }

    private List<Map<String, Object>> passes() {
        boolean[] continuing = continuing();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.level() >= 0 || pass.culled()) {
                rows.add(pass(pass, continuing[pass.index()]));
            }
        }
        return rows;
    }

    private Map<String, Object> pass(PassPlan pass, boolean continues) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", names.pass(pass.index()));
        if (pass.kind() != PassKind.HOST) {
            int queue = Math.max(0, pass.culled() ? arrays.namedQueue(pass.index()) : pass.queue());
            row.put("queue", names.queue(queue));
        }
        row.put("kind", inLowerCase(pass.kind()));
        row.put("uses", pass.uses().stream().map(this::use).toList());
        RenderTargets targets = pass.targets();
        if (targets != null) {
            row.put("rt", new TargetsJson(plan, names).of(targets, continues));
        }
        // The schema says asynchronous compute by the queue of a pass; as declared it is a field of its own.
        if (pass.flags().contains(PassFlag.ASYNC_COMPUTE)) {
            row.put("asyncCompute", true);
        }
        ConditionalPass skippable = plan.body(pass.index()) instanceof ConditionalPass body ? body : null;
        List<String> flags = new ArrayList<>();
        for (PassFlag flag : PassFlag.values()) {
            String name = FileGraph.Flag.nameOf(flag);
            if (pass.flags().contains(flag) && name != null) {
                flags.add(name);
            }
        }
        if (skippable != null) {
            flags.add(FileGraph.Flag.CONDITIONAL.inFiles());
        }
        if (isFixed(pass)) {
            flags.add(FileGraph.Flag.QUEUE_FIXED.inFiles());
        }
        row.put("flags", flags);
        if (skippable != null) {
            row.put("condition", conditions.computeIfAbsent(skippable.condition(), first -> conditions.size()));
        }
        return row;
    }

    /**
     * Returns whether a pass names its queue, or was measured not to pay elsewhere, and the policy alone would put it
     * elsewhere.
     */
    private boolean isFixed(PassPlan pass) {
        int named = arrays.namedQueue(pass.index());
        RegionDecision decision = plan.decisionOf(pass.index());
        return named == 0
                || (decision != null && !decision.beside())
                || (named > 0
                        && plan.options().async() == AsyncCompute.OFF
                        && pass.kind() == PassKind.COPY
                        && plan.queues().queues().get(named).kind() == QueueKind.COMPUTE);
    }

    private Map<String, Object> use(UsePlan use) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", names.resource(use.resource()));
        row.put("a", AccessNames.of(use.access()));
        SubresourceRange range = use.range();
        TextureDescription texture = plan.resources().get(use.resource()).textureDescription();
        BufferDescription buffer = plan.resources().get(use.resource()).bufferDescription();
        if ((texture != null && range != null && !range.equals(SubresourceRange.all(texture)))
                || (buffer != null && (use.offset() != 0 || use.bytes() != buffer.bytes()))) {
            row.put("sub", PlanNames.part(range, use.offset(), use.bytes()));
        }
        if (use.discard()) {
            row.put("discard", true);
        }
        if (use.overlapGroup() >= 0 && use.access().writes()) {
            row.put("uavGroup", use.overlapGroup());
        } else if (use.overlapGroup() == DeclaredGraph.ALONE) {
            row.put("alone", true);
        }
        return row;
    }

    /** Returns for each pass whether it continues a render pass, and so finds there what it loads. */
    private boolean[] continuing() {
        boolean[] continuing = new boolean[plan.passes().size()];
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            for (int i = 1; i < renderPass.passes().size(); i++) {
                continuing[renderPass.passes().get(i)] = true;
            }
        }
        return continuing;
    }
}
