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
import io.frameloom.rdg.compile.plan.DumpedDeclaration;
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
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Writes a plan as JSON: the declared graph in the form {@code rdg-case/1}, then the plan. Any thread. */
public final class PlanJson {
    private final CompiledPlan plan;
    private final PlanNames names;
    private final DumpedDeclaration declaration;
    /** Number of each condition, in the order of the first passes that have it. */
    private final IdentityHashMap<BooleanSupplier, Integer> conditions = new IdentityHashMap<>();

    private PlanJson(FramePlan plan) {
        this.plan = CompiledPlan.of(plan);
        this.declaration = this.plan.structure().derivation().declaration();
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
            json.writeStartObject();
            json.writeStringField("schema", "rdg-case/1");
            json.writeStringField("id", plan.name());
            json.writeObjectFieldStart("mode");
            json.writeStringField("order", "declared");
            json.writeStringField("cull", plan.cullsPasses() ? "data" : "off");
            if (plan.resources().stream().anyMatch(ResourcePlan::lazy)) {
                json.writeBooleanField("tiler", true);
            }
            mode(json, plan.options());
            json.writeEndObject();
            queues(json);
            resources(json);
            passes(json);
            orders(json);
            json.writeFieldName("plan");
            JsonValues.write(json, PlanFacts.of(plan, names));
            json.writeEndObject();
        }
    }

    private static void mode(JsonGenerator json, RdgOptions options) throws IOException {
        AsyncCompute policy = options.async() == AsyncCompute.MEASURED ? AsyncCompute.TAGGED : options.async();
        json.writeNumberField("asyncPolicy", policy.ordinal());
        json.writeBooleanField("overlapUavs", options.overlapStorageWrites());
        json.writeBooleanField("mergeRenderPasses", options.mergeRenderPasses());
        json.writeBooleanField("aliasing", options.aliasing());
        json.writeStringField(
                "waitStageScope", options.policy().waitStageScope().name().toLowerCase(Locale.ROOT));
        json.writeBooleanField("hoistBarriers", options.policy().hoistBarriers());
        json.writeBooleanField("splitBarriers", options.policy().splitBarriers());
        json.writeNumberField("passMin", options.passMin());
        json.writeNumberField("passMax", options.passMax());
    }

    private void orders(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("explicitDeps");
        for (int pass = 0; pass < plan.structure().declaredPasses(); pass++) {
            for (int earlier : declaration.after(pass)) {
                json.writeStartArray();
                json.writeString(names.pass(earlier));
                json.writeString(names.pass(pass));
                json.writeEndArray();
            }
        }
        json.writeEndArray();
    }

    private void queues(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("queues");
        for (QueueTopology.Queue queue : plan.queues().ofDevice().queues()) {
            json.writeStartObject();
            json.writeStringField("id", queue.name());
            json.writeNumberField("family", queue.family());
            json.writeArrayFieldStart("caps");
            for (QueueKind kind : QueueKind.values()) {
                if (queue.kind().supports(kind)) {
                    json.writeString(kind.name().toLowerCase(Locale.ROOT));
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void resources(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("resources");
        for (ResourcePlan resource : plan.resources()) {
            json.writeStartObject();
            json.writeStringField("id", names.resource(resource.index()));
            json.writeStringField("kind", resource.texture() ? "texture" : "buffer");
            memory(json, resource);
            TextureDescription texture = resource.textureDescription();
            if (texture != null) {
                json.writeNumberField("mips", texture.mips());
                json.writeNumberField("layers", texture.layers());
                json.writeNumberField("planes", texture.format().planes());
                json.writeStringField("format", texture.format().name());
                json.writeNumberField("width", texture.width());
                json.writeNumberField("height", texture.height());
                shape(json, texture);
            }
            json.writeStringField("lifetime", resource.lifetime().name().toLowerCase(Locale.ROOT));
            if (resource.initialLayout() != TextureLayout.UNDEFINED) {
                json.writeObjectFieldStart("initial");
                json.writeStringField("layout", resource.initialLayout().name());
                json.writeEndObject();
            }
            if (declaration.isExclusive(resource.index())) {
                json.writeStringField("sharing", "exclusive");
            }
            if (declaration.isDiscardedAfter(resource.index())) {
                json.writeBooleanField("discardAfter", true);
            }
            Access last = declaration.finalAccess(resource.index());
            if (last != null) {
                json.writeStringField("final", AccessNames.of(last));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void shape(JsonGenerator json, TextureDescription texture) throws IOException {
        if (texture.kind() == TextureKind.THREE_D) {
            json.writeNumberField("depth", texture.depth());
        } else if (texture.kind() == TextureKind.CUBE) {
            json.writeBooleanField("cube", true);
        }
        if (texture.samples() > 1) {
            json.writeNumberField("samples", texture.samples());
        }
        if (!texture.viewFormats().isEmpty()) {
            names(json, "viewFormats", texture.viewFormats());
        }
        // The compiler marks lazily allocated targets itself, as often as it is asked.
        Set<TextureUsage> usage = EnumSet.noneOf(TextureUsage.class);
        usage.addAll(texture.usage());
        usage.remove(TextureUsage.TRANSIENT_ATTACHMENT);
        names(json, "usage", usage);
    }

    private static void names(JsonGenerator json, String key, Set<? extends Enum<?>> constants) throws IOException {
        json.writeArrayFieldStart(key);
        for (Enum<?> constant : constants) {
            json.writeString(constant.name());
        }
        json.writeEndArray();
    }

    /** A transient outside of all heaps, unused or mapped by the host, has no place to share. */
    private void memory(JsonGenerator json, ResourcePlan resource) throws IOException {
        json.writeNumberField("bytes", resource.bytes());
        BufferDescription buffer = resource.bufferDescription();
        if (buffer != null) {
            json.writeNumberField("size", buffer.bytes());
            json.writeStringField("memory", buffer.memory().name());
            names(json, "usage", buffer.usage());
        }
        if (resource.heap() >= 0 || resource.lazy()) {
            json.writeNumberField("align", declaration.alignment(resource.index()));
            json.writeNumberField("memoryTypes", Integer.toUnsignedLong(declaration.memoryTypes(resource.index())));
        } else if (resource.lifetime() == Lifetime.TRANSIENT && resource.used()) {
            json.writeBooleanField("noAlias", true);
        }
    }

    private void passes(JsonGenerator json) throws IOException {
        boolean[] continuing = continuing();
        json.writeArrayFieldStart("passes");
        for (PassPlan pass : plan.passes()) {
            if (pass.level() < 0 && !pass.culled()) {
                continue;
            }
            json.writeStartObject();
            json.writeStringField("id", names.pass(pass.index()));
            if (pass.kind() != PassKind.HOST) {
                int queue = Math.max(0, pass.culled() ? declaration.queue(pass.index()) : pass.queue());
                json.writeStringField("queue", plan.queues().queues().get(queue).name());
            }
            json.writeStringField("kind", pass.kind().name().toLowerCase(Locale.ROOT));
            json.writeArrayFieldStart("uses");
            for (UsePlan use : pass.uses()) {
                use(json, use);
            }
            json.writeEndArray();
            RenderTargets targets = pass.targets();
            if (targets != null) {
                new TargetsJson(plan, names).write(json, targets, continuing[pass.index()]);
            }
            boolean conditional = plan.body(pass.index()) instanceof ConditionalPass;
            flags(json, pass.flags(), conditional, isFixed(pass));
            if (plan.body(pass.index()) instanceof ConditionalPass skippable) {
                json.writeNumberField(
                        "condition", conditions.computeIfAbsent(skippable.condition(), first -> conditions.size()));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Returns whether a pass names its queue, or was measured not to pay elsewhere, and the policy alone would put it
     * elsewhere.
     */
    private boolean isFixed(PassPlan pass) {
        int named = declaration.queue(pass.index());
        RegionDecision decision = plan.decisionOf(pass.index());
        return named == 0
                || (decision != null && !decision.beside())
                || (named > 0
                        && plan.options().async() == AsyncCompute.OFF
                        && pass.kind() == PassKind.COPY
                        && plan.queues().queues().get(named).kind() == QueueKind.COMPUTE);
    }

    private void use(JsonGenerator json, UsePlan use) throws IOException {
        json.writeStartObject();
        json.writeStringField("r", names.resource(use.resource()));
        json.writeStringField("a", AccessNames.of(use.access()));
        SubresourceRange range = use.range();
        TextureDescription texture = plan.resources().get(use.resource()).textureDescription();
        if (range != null && texture != null && !range.equals(SubresourceRange.all(texture))) {
            json.writeObjectFieldStart("sub");
            TargetsJson.interval(json, "mip", range.baseMip(), range.mipCount());
            TargetsJson.interval(json, "layer", range.baseLayer(), range.layerCount());
            TargetsJson.interval(json, "plane", range.basePlane(), range.planeCount());
            json.writeEndObject();
        }
        BufferDescription buffer = plan.resources().get(use.resource()).bufferDescription();
        if (buffer != null && (use.offset() != 0 || use.bytes() != buffer.bytes())) {
            json.writeObjectFieldStart("sub");
            TargetsJson.interval(json, "bytes", use.offset(), use.bytes());
            json.writeEndObject();
        }
        if (use.discard()) {
            json.writeBooleanField("discard", true);
        }
        if (use.overlapGroup() >= 0 && use.access().writes()) {
            json.writeNumberField("uavGroup", use.overlapGroup());
        } else if (use.overlapGroup() == DeclaredGraph.Use.ALONE) {
            json.writeBooleanField("alone", true);
        }
        json.writeEndObject();
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

    /** The schema says asynchronous compute by the queue of a pass; as declared it is a field of its own. */
    private static void flags(JsonGenerator json, Set<PassFlag> flags, boolean conditional, boolean fixed)
            throws IOException {
        if (flags.contains(PassFlag.ASYNC_COMPUTE)) {
            json.writeBooleanField("asyncCompute", true);
        }
        json.writeArrayFieldStart("flags");
        for (PassFlag flag : PassFlag.values()) {
            String name = FileGraph.Flag.nameOf(flag);
            if (flags.contains(flag) && name != null) {
                json.writeString(name);
            }
        }
        if (conditional) {
            json.writeString("conditional");
        }
        if (fixed) {
            json.writeString(FileGraph.Flag.QUEUE_FIXED.inFiles());
        }
        json.writeEndArray();
    }
}
