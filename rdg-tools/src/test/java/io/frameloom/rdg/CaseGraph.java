package io.frameloom.rdg;

import com.fasterxml.jackson.databind.JsonNode;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.tools.file.AccessNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Builds the graph of a case in the form {@code rdg-case/1} through the public API and compiles it. */
final class CaseGraph {
    private final JsonNode root;
    private final Map<String, RdgResource> resources = new LinkedHashMap<>();
    private final Map<String, OverlapGroup> groups = new HashMap<>();
    private final RenderGraph graph;

    private final RdgOptions options;

    private CaseGraph(JsonNode root, RdgOptions options) {
        this.root = root;
        this.options = options;
        this.graph = new RenderGraph(root.get("id").asText(), RdgOptions.defaults());
        for (JsonNode resource : root.get("resources")) {
            declare(resource);
        }
        for (JsonNode pass : root.get("passes")) {
            declarePass(pass);
        }
    }

    /** Compiles the case as its mode asks. */
    static FramePlan compile(JsonNode root) {
        return compile(root, CaseModel.options(root));
    }

    /** Sizes come from the file. */
    private static FramePlan compile(JsonNode root, RdgOptions options) {
        CaseGraph sized = new CaseGraph(root, options);
        int index = 0;
        for (JsonNode resource : root.get("resources")) {
            sized.graph
                    .declaration()
                    .declared()
                    .setMemory(
                            index++,
                            new MemoryRequirements(
                                    resource.get("bytes").asLong(),
                                    resource.path("align").asLong(1),
                                    1));
        }
        return sized.plan(request -> new MemoryRequirements(1, 1, 1));
    }

    /** Returns whether a graph gets the plan of another one that is declared before it; an unsound one gets none. */
    static boolean sharesPlan(JsonNode first, JsonNode second) {
        CaseGraph before = new CaseGraph(first, CaseModel.options(first));
        RenderGraphCompiler compiler = new RenderGraphCompiler(before.options);
        Object shape = CompiledPlan.of(before.plan(compiler, Placing.of(first))).shape();
        try {
            return shape
                    == CompiledPlan.of(new CaseGraph(second, before.options).plan(compiler, Placing.of(second)))
                            .shape();
        } catch (RdgValidationException unsound) {
            return false;
        }
    }

    /** Equal where files say the same of the sizes of resources; how large these are is all one. */
    private record Placing(List<Long> bytes) implements Function<Object, MemoryRequirements> {
        static Placing of(JsonNode root) {
            List<Long> bytes = new ArrayList<>();
            root.get("resources")
                    .forEach(resource -> bytes.add(resource.get("bytes").asLong()));
            return new Placing(bytes);
        }

        @Override
        public MemoryRequirements apply(Object request) {
            return new MemoryRequirements(1, 1, 1);
        }
    }

    private FramePlan plan(Function<Object, MemoryRequirements> sizes) {
        return plan(new RenderGraphCompiler(options), sizes);
    }

    private FramePlan plan(RenderGraphCompiler compiler, Function<Object, MemoryRequirements> sizes) {
        boolean tiler = root.get("mode").path("tiler").asBoolean(false);
        List<QueueTopology.Queue> queues = new ArrayList<>();
        for (JsonNode queue : root.get("queues")) {
            String best = queue.get("caps").get(0).asText();
            queues.add(new QueueTopology.Queue(
                    queue.get("id").asText(),
                    QueueKind.valueOf(best.toUpperCase(Locale.ROOT)),
                    queue.get("family").asInt()));
        }
        return compiler.compile(graph, new QueueTopology(queues), new Sizes(tiler, sizes));
    }

    /** What a file says of memory; a device of tiles keeps targets there. */
    private record Sizes(boolean tiler, Function<Object, MemoryRequirements> of) implements MemorySizer {
        @Override
        public boolean lazyMemory() {
            return tiler;
        }

        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return of.apply(description);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return of.apply(description);
        }
    }

    private void declare(JsonNode node) {
        String id = node.get("id").asText();
        String lifetime = node.path("lifetime").asText("transient");
        boolean external = lifetime.equals("external");
        boolean outlives = lifetime.equals("extracted") || lifetime.equals("history");
        if (node.get("kind").asText().equals("buffer")) {
            long bytes = Math.max(1, node.get("bytes").asLong());
            RdgBuffer buffer = external
                    ? graph.registerExternal(FakeResources.buffer(id, bytes))
                    : graph.createBuffer(id, BufferDescription.device(bytes, BufferUsage.STORAGE));
            if (outlives) {
                graph.extract(buffer);
            }
            resources.put(id, buffer);
            return;
        }
        int mips = node.path("mips").asInt(1);
        int layers = node.path("layers").asInt(1);
        Format format = node.path("planes").asInt(1) == 2
                ? Format.D32_SFLOAT_S8_UINT
                : usedAsDepth(id) ? Format.D32_SFLOAT : Format.R8G8B8A8_UNORM;
        RdgTexture texture;
        if (external) {
            String layout = node.path("initial").path("layout").asText("UNDEFINED");
            texture = graph.registerExternal(
                    FakeResources.texture(id, mips, layers, format), TextureLayout.valueOf(layout));
        } else {
            texture = graph.createTexture(
                    id,
                    TextureDescription.of(1024, 1024, format, TextureUsage.SAMPLED)
                            .withMips(mips)
                            .withLayers(layers));
            if (outlives) {
                graph.extract(texture, lastAccess(id));
            }
        }
        resources.put(id, texture);
    }

    private boolean usedAsDepth(String resource) {
        for (JsonNode pass : root.get("passes")) {
            for (JsonNode use : pass.get("uses")) {
                if (use.get("r").asText().equals(resource)
                        && use.get("a").asText().startsWith("depth")) {
                    return true;
                }
            }
        }
        return false;
    }

    private Access lastAccess(String resource) {
        Access last = Access.SAMPLED_FRAGMENT;
        for (JsonNode pass : root.get("passes")) {
            for (JsonNode use : pass.get("uses")) {
                if (use.get("r").asText().equals(resource)) {
                    last = access(use.get("a").asText(), pass.get("kind").asText());
                }
            }
        }
        return last;
    }

    private void declarePass(JsonNode node) {
        String kind = node.get("kind").asText();
        boolean present = kind.equals("present");
        PassBuilder pass = graph.addPass(
                node.get("id").asText(), present ? PassKind.COPY : PassKind.valueOf(kind.toUpperCase(Locale.ROOT)));
        if (present) {
            pass.flag(PassFlag.NEVER_CULL);
        }
        if (!node.get("queue")
                .asText()
                .equals(root.get("queues").get(0).get("id").asText())) {
            pass.flag(PassFlag.ASYNC_COMPUTE);
        }
        for (JsonNode flag : node.path("flags")) {
            switch (flag.asText()) {
                case "neverCull" -> pass.flag(PassFlag.NEVER_CULL);
                case "readback" -> pass.flag(PassFlag.READBACK);
                case "skipRenderPass" -> pass.flag(PassFlag.SKIP_RENDER_PASS);
                case "neverParallel" -> pass.flag(PassFlag.NEVER_PARALLEL);
                case "neverMerge" -> pass.flag(PassFlag.NEVER_MERGE);
                case "untracked" -> pass.flag(PassFlag.UNTRACKED_ACCESS);
                default -> throw new IllegalArgumentException("flag " + flag.asText());
            }
        }
        // Without targets the file speaks of accesses alone.
        boolean raster = kind.equals("raster") && node.has("rt");
        Map<String, LoadOp> loads = new HashMap<>();
        Map<String, Integer> layers = new HashMap<>();
        JsonNode targets = node.path("rt");
        for (JsonNode color : targets.path("color")) {
            loads.put(color.get("r").asText(), load(color));
        }
        if (targets.has("depth")) {
            loads.put(targets.get("depth").get("r").asText(), load(targets.get("depth")));
            layers.put(
                    targets.get("depth").get("r").asText(),
                    targets.get("depth").path("sub").asInt(0));
        }
        int attachments = 0;
        for (JsonNode use : node.get("uses")) {
            if (raster && attach(pass, use, loads, layers)) {
                attachments++;
            } else {
                use(pass, use, kind);
            }
        }
        if (kind.equals("raster") && attachments == 0) {
            pass.flag(PassFlag.SKIP_RENDER_PASS);
        }
        pass.record(context -> {});
    }

    private boolean attach(PassBuilder pass, JsonNode use, Map<String, LoadOp> loads, Map<String, Integer> layers) {
        String name = use.get("a").asText();
        String id = use.get("r").asText();
        boolean input = name.equals("inputAttachment") && loads.containsKey(id) && !layers.containsKey(id);
        boolean color = name.startsWith("color") || input;
        if ((!color && !name.startsWith("depth")) || use.path("sub").has("plane")) {
            return false;
        }
        RdgTexture texture = (RdgTexture) resource(id);
        LoadOp load = loads.getOrDefault(id, use.path("discard").asBoolean(false) ? LoadOp.DONT_CARE : LoadOp.LOAD);
        int mip = use.path("sub").path("mip").asInt(0);
        int layer = layers.getOrDefault(id, use.path("sub").path("layer").asInt(0));
        if (input) {
            pass.colorInput(texture);
        } else if (color) {
            pass.color(texture, mip, layer, load, ClearColor.BLACK_TRANSPARENT);
        } else if (name.equals("depthRead")) {
            pass.depthReadOnly(texture, mip, layer);
        } else {
            pass.depth(texture, mip, layer, load, 1);
        }
        return true;
    }

    private void use(PassBuilder pass, JsonNode use, String kind) {
        Access access = access(use.get("a").asText(), kind);
        boolean discard = use.path("discard").asBoolean(false);
        if (resource(use.get("r").asText()) instanceof RdgBuffer buffer) {
            if (!access.writes()) {
                pass.reads(buffer, access);
            } else if (discard) {
                pass.overwrites(buffer, access);
            } else if (use.has("uavGroup")) {
                pass.writes(buffer, access, group(use));
            } else {
                pass.writes(buffer, access);
            }
            return;
        }
        RdgTexture texture = (RdgTexture) resource(use.get("r").asText());
        SubresourceRange all = SubresourceRange.all(texture.description());
        int[] mip = interval(use.path("sub").path("mip"), all.mipCount());
        int[] layer = interval(use.path("sub").path("layer"), all.layerCount());
        int[] plane = interval(use.path("sub").path("plane"), all.planeCount());
        SubresourceRange range = new SubresourceRange(
                mip[0], mip[1] - mip[0], layer[0], layer[1] - layer[0], plane[0], plane[1] - plane[0]);
        if (!access.writes()) {
            pass.reads(texture, range, access);
        } else if (discard) {
            pass.overwrites(texture, range, access);
        } else if (use.has("uavGroup")) {
            pass.writes(texture, range, access, group(use));
        } else {
            pass.writes(texture, range, access);
        }
    }

    private OverlapGroup group(JsonNode use) {
        return groups.computeIfAbsent(use.get("uavGroup").asText(), graph::overlapGroup);
    }

    private RdgResource resource(String id) {
        RdgResource resource = resources.get(id);
        if (resource == null) {
            throw new IllegalArgumentException("resource " + id);
        }
        return resource;
    }

    private static int[] interval(JsonNode node, int count) {
        if (node.isMissingNode()) {
            return new int[] {0, count};
        }
        return node.isArray()
                ? new int[] {node.get(0).asInt(), node.get(1).asInt()}
                : new int[] {node.asInt(), node.asInt() + 1};
    }

    private static LoadOp load(JsonNode target) {
        return switch (target.get("load").asText()) {
            case "clear" -> LoadOp.CLEAR;
            case "dontcare" -> LoadOp.DONT_CARE;
            default -> LoadOp.LOAD;
        };
    }

    static Access access(String name, String kind) {
        if (name.equals("uniform")) {
            return kind.equals("compute") ? Access.UNIFORM_COMPUTE : Access.UNIFORM_GRAPHICS;
        }
        for (Access access : Access.values()) {
            if (AccessNames.of(access).equals(name)) {
                return access;
            }
        }
        throw new IllegalArgumentException("access " + name);
    }
}
