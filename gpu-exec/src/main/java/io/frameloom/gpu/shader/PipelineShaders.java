package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lwjgl.util.spvc.Spv;

/**
 * The compiled shaders of one pipeline, checked against each other and against its description before anything of the
 * pipeline is made. Immutable.
 */
public final class PipelineShaders {
    /** In place of the number of a set. */
    private static final int NONE = -1;

    /** Each device that pushes takes as many. */
    private static final int MOST_PUSHED = 32;

    /** Number of the component of a colour that is its alpha. */
    private static final int ALPHA = 3;

    private final String pipeline;
    private final List<Stage> stages;
    private final List<ShaderBinding> bindings;
    private final int tableSet;
    private final int pushedSet;
    private final int pushConstantBytes;

    /**
     * A shader of the pipeline.
     *
     * @param constants values of its specialization constants: bits by id, in the order of the ids
     * @param module what its instructions say, read once for all checks
     */
    public record Stage(CompiledShader shader, Map<Integer, Integer> constants, SpirvModule module) {
        public Stage(CompiledShader shader, Map<Integer, Integer> constants) {
            this(shader, constants, SpirvModule.of(shader));
        }

        /** Returns the bytes of its payload of tasks, 0 for none. */
        public long payloadBytes() {
            return module.payloadBytes(constants);
        }

        /** Returns the bytes of its largest payload of rays, of those that it is handed or of those that it hands on. */
        public long rayPayloadBytes(boolean incoming) {
            return module.rayPayloadBytes(incoming, constants);
        }
    }

    private PipelineShaders(String pipeline, List<Stage> stages, int pushedSet, int maxPushConstantBytes) {
        this.pipeline = pipeline;
        this.stages = List.copyOf(stages);
        this.tableSet = table();
        this.bindings = merge();
        this.pushedSet = pushedSet;
        checkPushed();
        int bytes = 0;
        for (Stage stage : stages) {
            bytes = Math.max(bytes, stage.shader.reflection().pushConstantBytes());
        }
        if (bytes > maxPushConstantBytes) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' has " + bytes
                    + " bytes of push constants, the device allows " + maxPushConstantBytes
                    + "; move some to a uniform block");
        }
        this.pushConstantBytes = bytes;
    }

    /**
     * Compiles the shader of a compute pipeline and checks it.
     *
     * @throws ShaderCompilationException if it does not compile
     * @throws IllegalArgumentException if it does not fit the description or the device
     */
    public static PipelineShaders of(
            ShaderCompiler compiler, ComputePipelineDescription description, int maxPushConstantBytes) {
        return new PipelineShaders(
                description.name(),
                List.of(stage(compiler, description.name(), description.shader())),
                description.pushDescriptorSet(),
                maxPushConstantBytes);
    }

    /**
     * Compiles the shaders of a graphics pipeline and checks them.
     *
     * @throws ShaderCompilationException if one does not compile
     * @throws IllegalArgumentException if they do not fit each other, the description or the device
     */
    public static PipelineShaders of(
            ShaderCompiler compiler, GraphicsPipelineDescription description, int maxPushConstantBytes) {
        List<Stage> stages = new ArrayList<>();
        for (ShaderSource shader : description.shaders()) {
            stages.add(stage(compiler, description.name(), shader));
        }
        PipelineShaders shaders =
                new PipelineShaders(description.name(), stages, description.pushDescriptorSet(), maxPushConstantBytes);
        boolean fragments = description.fragmentShader() != null;
        Stage last = stages.get(stages.size() - 1);
        Stage geometry = fragments ? stages.get(stages.size() - 2) : last;
        if (description.drawsMeshes()) {
            shaders.checkPayload();
        } else {
            shaders.checkAttributes(description);
        }
        shaders.checkPoints(description, geometry);
        if (fragments) {
            shaders.checkStages(geometry.shader, last.shader);
            shaders.checkTargets(last.shader, description);
            if (description.drawsMeshes()) {
                shaders.checkPrimitiveNumbers(geometry, last);
            }
            if (description.multisample().alphaToCoverage()) {
                shaders.checkAlpha(last.shader);
            }
        }
        return shaders;
    }

    /**
     * Compiles the shaders of a ray-tracing pipeline and checks them; they are in the order of the description.
     *
     * @throws ShaderCompilationException if one does not compile
     * @throws IllegalArgumentException if they do not fit each other or the device
     */
    public static PipelineShaders of(
            ShaderCompiler compiler, RayTracingPipelineDescription description, int maxPushConstantBytes) {
        List<Stage> stages = new ArrayList<>();
        for (ShaderSource shader : description.shaders()) {
            stages.add(stage(compiler, description.name(), shader));
        }
        return new PipelineShaders(description.name(), stages, description.pushDescriptorSet(), maxPushConstantBytes);
    }

    private void checkPushed() {
        int pushed = bindings.stream()
                .filter(binding -> binding.set() == pushedSet)
                .mapToInt(ShaderBinding::count)
                .sum();
        if (pushedSet != NONE && pushed == 0) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' pushes set " + pushedSet
                    + ", in which its shaders have no binding; name a set of theirs that is no bindless table");
        }
        if (pushed > MOST_PUSHED) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' pushes set " + pushedSet + " of " + pushed
                    + " bindings, elements of arrays among them; push at most " + MOST_PUSHED);
        }
    }

    private static Stage stage(ShaderCompiler compiler, String pipeline, ShaderSource source) {
        CompiledShader shader = compiler.compile(source);
        return new Stage(shader, constants(pipeline, source, shader));
    }

    /**
     * Finds the specialization constants that an application names; returns bits by id.
     *
     * @throws IllegalArgumentException if there is no such constant or it has another type; names those that exist
     */
    private static Map<Integer, Integer> constants(String pipeline, ShaderSource source, CompiledShader shader) {
        if (source.constants().isEmpty() && source.constantsById().isEmpty()) {
            return Map.of();
        }
        String where = "pipeline '" + pipeline + "': shader '" + source.name() + "'";
        List<SpecializationConstant> constants = shader.reflection().constants();
        Map<Integer, Integer> bits = new TreeMap<>();
        source.constants()
                .forEach((name, value) -> set(
                        bits,
                        where,
                        "'" + name + "'",
                        value,
                        constants,
                        constant -> constant.name().equals(name)));
        source.constantsById()
                .forEach((id, value) ->
                        set(bits, where, "of id " + id, value, constants, constant -> constant.id() == id));
        return Collections.unmodifiableMap(bits);
    }

    private static void set(
            Map<Integer, Integer> bits,
            String where,
            String what,
            SpecializationValue value,
            List<SpecializationConstant> constants,
            Predicate<SpecializationConstant> isMeant) {
        SpecializationConstant constant =
                constants.stream().filter(isMeant).findFirst().orElse(null);
        if (constant == null) {
            throw new IllegalArgumentException(where + " has no specialization constant " + what + "; it has "
                    + (constants.isEmpty() ? "none" : constants));
        }
        if (constant.type() != value.type()) {
            throw new IllegalArgumentException(where + " has specialization constant " + constant
                    + ", which cannot be set to " + value + "; it has " + constants);
        }
        if (bits.put(constant.id(), value.bits()) != null) {
            throw new IllegalArgumentException(
                    where + " is given two values for specialization constant " + constant + "; give it one");
        }
    }

    private List<ShaderBinding> merge() {
        Map<Long, ShaderBinding> merged = new TreeMap<>();
        for (Stage stage : stages) {
            for (ShaderBinding binding : stage.shader.reflection().bindings()) {
                if (binding.set() == tableSet) {
                    continue;
                }
                merged.merge(
                        (long) binding.set() << 32 | binding.binding(),
                        binding,
                        (known, other) -> merge(stage.shader.name(), known, other));
            }
        }
        List<ShaderBinding> sorted = new ArrayList<>(merged.values());
        sorted.sort(Comparator.comparingInt(ShaderBinding::set).thenComparingInt(ShaderBinding::binding));
        Set<String> names = new HashSet<>();
        for (ShaderBinding binding : sorted) {
            if (!names.add(binding.name())) {
                throw new IllegalArgumentException(
                        "pipeline '" + pipeline + "' has two bindings named '" + binding.name() + "'; rename one");
            }
        }
        return List.copyOf(sorted);
    }

    /**
     * Returns the set of arrays without length, which a bindless table fills, or -1. GLSL gives an array a length if all
     * of its indices are constants, so others of the set may have one.
     */
    private int table() {
        int set = -1;
        for (Stage stage : stages) {
            for (ShaderBinding array : stage.shader.reflection().bindings()) {
                if (array.count() == 0 && set >= 0 && set != array.set()) {
                    throw new IllegalArgumentException("pipeline '" + pipeline + "' has arrays without length in sets "
                            + set + " and " + array.set()
                            + "; a pipeline has one bindless table, put them into one set");
                }
                set = array.count() == 0 ? array.set() : set;
            }
        }
        for (Stage stage : stages) {
            for (ShaderBinding array : stage.shader.reflection().bindings()) {
                if (array.set() == set) {
                    requireOfTable(stage.shader.name(), array);
                }
            }
        }
        return set;
    }

    private void requireOfTable(String shader, ShaderBinding array) {
        BindlessTable.@Nullable Kind kind = switch (array.kind()) {
            case SAMPLED_IMAGE -> BindlessTable.Kind.SAMPLED_TEXTURE;
            case SAMPLER -> BindlessTable.Kind.SAMPLER;
            case STORAGE_TEXTURE -> BindlessTable.Kind.STORAGE_TEXTURE;
            case STORAGE_BUFFER -> BindlessTable.Kind.STORAGE_BUFFER;
            case SAMPLED_TEXTURE, UNIFORM_BUFFER, INPUT_ATTACHMENT, ACCELERATION_STRUCTURE -> null;
        };
        if (kind == null || kind.ordinal() != array.binding()) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "': shader '" + shader + "' has "
                    + describe(array) + " in the set of a bindless table, which has, by bindings from 0 on, "
                    + Arrays.toString(BindlessTable.Kind.values()) + "; move it to another set");
        }
    }

    private ShaderBinding merge(String shader, ShaderBinding known, ShaderBinding binding) {
        boolean formatsDiffer = known.storageFormat() != null
                && binding.storageFormat() != null
                && known.storageFormat() != binding.storageFormat();
        if (known.kind() != binding.kind()
                || known.count() != binding.count()
                || formatsDiffer
                || !Objects.equals(known.texture(), binding.texture())
                || !known.name().equals(binding.name())) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "': shader '" + shader + "' has "
                    + describe(binding) + " where another of its shaders has " + describe(known)
                    + "; give them different bindings");
        }
        return new ShaderBinding(
                known.name(),
                known.set(),
                known.binding(),
                known.kind(),
                known.written() || binding.written(),
                known.count(),
                known.storageFormat() == null ? binding.storageFormat() : known.storageFormat(),
                known.texture(),
                Math.max(known.minBytes(), binding.minBytes()));
    }

    private static String describe(ShaderBinding binding) {
        return "binding '" + binding.name() + "' (" + binding.kind() + ", set " + binding.set() + " binding "
                + binding.binding()
                + (binding.texture() == null ? "" : ", " + binding.texture())
                + (binding.storageFormat() == null ? "" : ", " + binding.storageFormat()) + ")";
    }

    private void checkStages(CompiledShader first, CompiledShader second) {
        for (StageVariable input : second.reflection().inputs()) {
            StageVariable output = at(first.reflection().outputs(), input);
            if (output == null) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': shader '" + second.name() + "' takes "
                        + input + ", which shader '" + first.name() + "' does not give; it gives "
                        + first.reflection().outputs());
            }
            boolean known = input.base() != StageVariable.Base.OTHER && output.base() != StageVariable.Base.OTHER;
            boolean tooShort = output.component() + output.components() < input.component() + input.components();
            if (known && (input.base() != output.base() || tooShort)) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': shader '" + second.name() + "' takes "
                        + input + ", but shader '" + first.name() + "' gives " + output
                        + "; declare both with one type");
            }
            if (input.perPrimitive() != output.perPrimitive()) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': shader '" + second.name() + "' takes "
                        + input + ", but shader '" + first.name() + "' gives " + output
                        + "; declare both with perprimitiveEXT, or none");
            }
        }
    }

    /** Returns the variable with the first component of the wanted one: a location may have several. */
    private static @Nullable StageVariable at(List<StageVariable> variables, StageVariable wanted) {
        StageVariable nearest = null;
        for (StageVariable variable : variables) {
            if (variable.location() == wanted.location()
                    && variable.component() <= wanted.component()
                    && (nearest == null || variable.component() > nearest.component())) {
                nearest = variable;
            }
        }
        return nearest;
    }

    private void checkAttributes(GraphicsPipelineDescription description) {
        CompiledShader vertex = stages.get(0).shader;
        Map<Integer, VertexAttribute> attributes = new TreeMap<>();
        for (VertexBuffer buffer : description.vertexBuffers()) {
            for (VertexAttribute attribute : buffer.attributes()) {
                attributes.put(attribute.location(), attribute);
            }
        }
        for (StageVariable input : vertex.reflection().inputs()) {
            VertexAttribute attribute = attributes.get(input.location());
            if (attribute == null) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': vertex shader '" + vertex.name()
                        + "' takes " + input + ", but no vertex buffer has an attribute there; there are "
                        + attributes.keySet());
            }
            StageVariable.Base given = StageVariable.Base.of(attribute.format());
            if (input.base() != StageVariable.Base.OTHER && given != input.base()) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': vertex shader '" + vertex.name()
                        + "' takes " + input + ", but the attribute there is " + attribute.format()
                        + ", which is read as " + given);
            }
        }
    }

    private void checkPoints(GraphicsPipelineDescription description, Stage geometry) {
        MeshOutputs mesh = geometry.shader.reflection().mesh();
        boolean points =
                mesh != null ? mesh.points() : description.raster().topology() == RasterState.Topology.POINT_LIST;
        if (points && !geometry.module.writes(Spv.SpvBuiltInPointSize)) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' draws points, but "
                    + (mesh != null ? "mesh" : "vertex") + " shader '" + geometry.shader.name()
                    + "' does not write gl_PointSize; write their size in pixels");
        }
    }

    /** Checks that a task shader gives what the mesh shader reads of its payload. */
    private void checkPayload() {
        Stage mesh = stages(Set.of(ShaderStage.MESH)).get(0);
        long read = mesh.payloadBytes();
        List<Stage> task = stages(Set.of(ShaderStage.TASK));
        long given = task.isEmpty() ? 0 : task.get(0).payloadBytes();
        if (read != given && read > 0) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "': mesh shader '" + mesh.shader.name()
                    + "' reads a payload of " + read + " bytes, "
                    + (task.isEmpty()
                            ? "and there is no task shader that gives it; give one"
                            : "task shader '" + task.get(0).shader.name() + "' gives one of " + given
                                    + "; declare both alike"));
        }
    }

    /** Vertices have numbers of primitives without a shader's doing, meshes have not. */
    private void checkPrimitiveNumbers(Stage mesh, Stage fragment) {
        if (fragment.module.hasBuiltIn(Spv.SpvBuiltInPrimitiveId) && !mesh.module.writes(Spv.SpvBuiltInPrimitiveId)) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "': fragment shader '" + fragment.shader.name()
                    + "' reads gl_PrimitiveID, which mesh shader '" + mesh.shader.name()
                    + "' does not write; write it in gl_MeshPrimitivesEXT");
        }
    }

    private void checkAlpha(CompiledShader fragment) {
        for (StageVariable output : fragment.reflection().outputs()) {
            if (output.location() == 0 && output.component() + output.components() > ALPHA) {
                return;
            }
        }
        throw new IllegalArgumentException("pipeline '" + pipeline + "' covers by alpha, but fragment shader '"
                + fragment.name() + "' gives no alpha at location 0; it gives "
                + fragment.reflection().outputs() + "; declare a vec4 there");
    }

    private void checkTargets(CompiledShader fragment, GraphicsPipelineDescription description) {
        for (StageVariable output : fragment.reflection().outputs()) {
            if (output.location() >= description.colorFormats().size() || output.base() == StageVariable.Base.OTHER) {
                continue;
            }
            StageVariable.Base target =
                    StageVariable.Base.of(description.colorFormats().get(output.location()));
            if (target != output.base()) {
                throw new IllegalArgumentException("pipeline '" + pipeline + "': fragment shader '" + fragment.name()
                        + "' gives " + output + ", but colour target " + output.location() + " is "
                        + description.colorFormats().get(output.location()) + ", which takes " + target);
            }
        }
    }

    public List<Stage> stages() {
        return stages;
    }

    public List<Stage> stages(Set<ShaderStage> of) {
        return stages.stream().filter(each -> of.contains(each.shader.stage())).toList();
    }

    /** Returns the shaders of each group, in the order in which the group has them; of rays alone. */
    public List<List<Stage>> groups(RayTracingPipelineDescription description) {
        Map<ShaderSource, Stage> bySource = new HashMap<>();
        for (ShaderSource shader : description.shaders()) {
            bySource.put(shader, stages.get(bySource.size()));
        }
        return description.groups().stream()
                .map(group -> group.shaders().stream()
                        .map(shader -> Objects.requireNonNull(bySource.get(shader)))
                        .toList())
                .toList();
    }

    /** Returns the resources that are bound for the shaders, without those of a table, by set and binding. */
    public List<ShaderBinding> bindings() {
        return bindings;
    }

    /** Returns the set whose bindings are written into command lists, or -1. */
    public int pushedSet() {
        return pushedSet;
    }

    /** Returns the set that a bindless table fills, or -1 if the shaders have none. */
    public int tableSet() {
        return tableSet;
    }

    /** Returns the arrays of the bindless table that the shaders have, each as its shader declares it. */
    public List<ShaderBinding> tableArrays() {
        return stages.stream()
                .flatMap(stage -> stage.shader.reflection().bindings().stream())
                .filter(array -> array.set() == tableSet)
                .toList();
    }

    /** Returns the pairs of separately bound images and samplers that the shaders use together, each once. */
    public List<SamplerPair> pairs() {
        return stages.stream()
                .flatMap(stage -> stage.shader.reflection().pairs().stream())
                .distinct()
                .toList();
    }

    /** Returns, by the names of groups, the bytes that their {@code shaderRecordEXT} blocks take; of rays alone. */
    public Map<String, Integer> recordBytes(RayTracingPipelineDescription description) {
        List<List<Stage>> groups = groups(description);
        Map<String, Integer> bytes = new TreeMap<>();
        for (int i = 0; i < groups.size(); i++) {
            int most = groups.get(i).stream()
                    .mapToInt(stage -> stage.shader.reflection().recordBytes())
                    .max()
                    .orElse(0);
            bytes.put(description.groups().get(i).name(), most);
        }
        return Collections.unmodifiableMap(bytes);
    }

    /** Returns the bytes of push constants, 0 for none. */
    public int pushConstantBytes() {
        return pushConstantBytes;
    }

    public Set<ShaderStage> pushConstantStages() {
        Set<ShaderStage> with = EnumSet.noneOf(ShaderStage.class);
        for (Stage stage : stages) {
            if (stage.shader.reflection().pushConstantBytes() > 0) {
                with.add(stage.shader.stage());
            }
        }
        return with;
    }
}
