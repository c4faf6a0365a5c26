package io.frameloom.gpu.shader;

import static org.lwjgl.util.spvc.Spv.SpvDecorationBinding;
import static org.lwjgl.util.spvc.Spv.SpvDecorationComponent;
import static org.lwjgl.util.spvc.Spv.SpvDecorationDescriptorSet;
import static org.lwjgl.util.spvc.Spv.SpvDecorationIndex;
import static org.lwjgl.util.spvc.Spv.SpvDecorationInputAttachmentIndex;
import static org.lwjgl.util.spvc.Spv.SpvDecorationLocation;
import static org.lwjgl.util.spvc.Spv.SpvDecorationNonWritable;
import static org.lwjgl.util.spvc.Spv.SpvDecorationPerPrimitiveEXT;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModeLocalSize;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModeOutputPoints;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModeOutputPrimitivesEXT;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModeOutputVertices;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModelFragment;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModelGLCompute;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModelMeshEXT;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModelTaskEXT;
import static org.lwjgl.util.spvc.Spv.SpvExecutionModelVertex;
import static org.lwjgl.util.spvc.Spvc.SPVC_BACKEND_NONE;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_BOOLEAN;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_FP16;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_FP32;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_INT16;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_INT32;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_INT8;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_STRUCT;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_UINT16;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_UINT32;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_UINT8;
import static org.lwjgl.util.spvc.Spvc.SPVC_CAPTURE_MODE_TAKE_OWNERSHIP;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_PUSH_CONSTANT;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SAMPLED_IMAGE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SEPARATE_IMAGE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SHADER_RECORD_BUFFER;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_STAGE_INPUT;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_STAGE_OUTPUT;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_STORAGE_BUFFER;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_STORAGE_IMAGE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SUBPASS_INPUT;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_UNIFORM_BUFFER;
import static org.lwjgl.util.spvc.Spvc.SPVC_SUCCESS;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_create_shader_resources;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_create_shader_resources_for_active_variables;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_active_interface_variables;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_buffer_block_decorations;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_constant_handle;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_declared_struct_size;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_entry_points;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_execution_mode_argument;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_execution_mode_argument_by_index;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_execution_modes;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_member_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_member_name;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_name;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_specialization_constants;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_type_handle;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_work_group_size_specialization_constants;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_has_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_has_member_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_set_entry_point;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_type_struct_member_offset;
import static org.lwjgl.util.spvc.Spvc.spvc_constant_get_scalar_u32;
import static org.lwjgl.util.spvc.Spvc.spvc_constant_get_type;
import static org.lwjgl.util.spvc.Spvc.spvc_context_create_compiler;
import static org.lwjgl.util.spvc.Spvc.spvc_context_get_last_error_string;
import static org.lwjgl.util.spvc.Spvc.spvc_context_parse_spirv;
import static org.lwjgl.util.spvc.Spvc.spvc_resources_get_resource_list_for_type;
import static org.lwjgl.util.spvc.Spvc.spvc_type_array_dimension_is_literal;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_array_dimension;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_basetype;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_columns;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_image_storage_format;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_member_type;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_num_array_dimensions;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_num_member_types;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_vector_size;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.pipeline.ShaderBinding.TextureType;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Format.NumericKind;
import io.frameloom.gpu.resource.TextureViewKind;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.spvc.Spv;
import org.lwjgl.util.spvc.SpvcEntryPoint;
import org.lwjgl.util.spvc.SpvcReflectedResource;
import org.lwjgl.util.spvc.SpvcSpecializationConstant;

/** One reading of a shader by SPIRV-Cross; lives as long as its context. One thread. */
final class ReflectionReader {
    /** That the type of an image leaves open whether it is compared. */
    private static final int UNKNOWN_DEPTH = 2;

    private static final Set<ShaderStage> WITH_WORKGROUPS =
            Set.of(ShaderStage.COMPUTE, ShaderStage.TASK, ShaderStage.MESH);

    private final String name;
    private final SpirvModule module;
    private final long context;
    private final long compiler;
    private long resources;

    ReflectionReader(String name, long context, ByteBuffer spirv) {
        this.name = name;
        this.module = new SpirvModule(spirv);
        this.context = context;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            check(spvc_context_parse_spirv(context, spirv.asIntBuffer(), spirv.remaining() / Integer.BYTES, out));
            check(spvc_context_create_compiler(
                    context, SPVC_BACKEND_NONE, out.get(0), SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, out));
            compiler = out.get(0);
        }
    }

    ShaderReflection read(ShaderStage stage, String entry) {
        boolean alone = select(stage, entry);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            if (alone) {
                check(spvc_compiler_create_shader_resources(compiler, out));
            } else {
                // Only what this entry point uses; all of it for the only one, as bindings are by name.
                check(spvc_compiler_get_active_interface_variables(compiler, out));
                long active = out.get(0);
                check(spvc_compiler_create_shader_resources_for_active_variables(compiler, out, active));
            }
            resources = out.get(0);
        }
        return new ShaderReflection(
                bindings(),
                pushConstantBytes(),
                recordBytes(),
                constants(),
                WITH_WORKGROUPS.contains(stage) ? workgroup() : List.of(),
                variables(SPVC_RESOURCE_TYPE_STAGE_INPUT, 0),
                // Those of a mesh shader are arrays over its vertices or primitives.
                variables(SPVC_RESOURCE_TYPE_STAGE_OUTPUT, stage == ShaderStage.MESH ? 1 : 0),
                list(SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS).hasRemaining()
                        ? new SamplerPairReader(module).read(model(stage), entry)
                        : List.of(),
                stage == ShaderStage.MESH ? meshOutputs() : null);
    }

    private static int model(ShaderStage stage) {
        return switch (stage) {
            case VERTEX -> SpvExecutionModelVertex;
            case FRAGMENT -> SpvExecutionModelFragment;
            case COMPUTE -> SpvExecutionModelGLCompute;
            case TASK -> SpvExecutionModelTaskEXT;
            case MESH -> SpvExecutionModelMeshEXT;
            case RAY_GENERATION -> Spv.SpvExecutionModelRayGenerationKHR;
            case ANY_HIT -> Spv.SpvExecutionModelAnyHitKHR;
            case CLOSEST_HIT -> Spv.SpvExecutionModelClosestHitKHR;
            case MISS -> Spv.SpvExecutionModelMissKHR;
            case INTERSECTION -> Spv.SpvExecutionModelIntersectionKHR;
            case CALLABLE -> Spv.SpvExecutionModelCallableKHR;
        };
    }

    /** Selects the entry point, and returns whether it is the only one. */
    private boolean select(ShaderStage stage, String entry) {
        int model = model(stage);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer first = stack.mallocPointer(1);
            PointerBuffer count = stack.mallocPointer(1);
            check(spvc_compiler_get_entry_points(compiler, first, count));
            SpvcEntryPoint.Buffer points = SpvcEntryPoint.create(first.get(0), Math.toIntExact(count.get(0)));
            List<String> others = new ArrayList<>();
            for (SpvcEntryPoint point : points) {
                if (point.execution_model() == model && point.nameString().equals(entry)) {
                    // Through the heap: names may be longer than a thread's memory stack.
                    ByteBuffer called = MemoryUtil.memUTF8(entry);
                    try {
                        check(spvc_compiler_set_entry_point(compiler, called, model));
                    } finally {
                        MemoryUtil.memFree(called);
                    }
                    return points.remaining() == 1;
                }
                others.add("'" + point.nameString() + "' (" + model(point.execution_model()) + ")");
            }
            throw new ShaderCompilationException("shader '" + name + "' has no entry point '" + entry + "' for stage "
                    + stage + "; it has " + String.join(", ", others));
        }
    }

    private static String model(int model) {
        for (ShaderStage stage : ShaderStage.values()) {
            if (model(stage) == model) {
                return stage.name();
            }
        }
        return "execution model " + model;
    }

    private List<ShaderBinding> bindings() {
        List<ShaderBinding> bindings = new ArrayList<>();
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_SAMPLED_IMAGE)) {
            bindings.add(binding(r, Kind.SAMPLED_TEXTURE, false));
        }
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_SEPARATE_IMAGE)) {
            bindings.add(binding(r, Kind.SAMPLED_IMAGE, false));
        }
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS)) {
            bindings.add(binding(r, Kind.SAMPLER, false));
        }
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_STORAGE_IMAGE)) {
            boolean readOnly = spvc_compiler_has_decoration(compiler, r.id(), SpvDecorationNonWritable);
            bindings.add(binding(r, Kind.STORAGE_TEXTURE, !readOnly));
        }
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_UNIFORM_BUFFER)) {
            bindings.add(binding(r, Kind.UNIFORM_BUFFER, false));
        }
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_STORAGE_BUFFER)) {
            bindings.add(binding(r, Kind.STORAGE_BUFFER, !isReadOnlyBlock(r.id())));
        }
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_SUBPASS_INPUT)) {
            bindings.add(binding(r, Kind.INPUT_ATTACHMENT, false));
        }
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE)) {
            bindings.add(binding(r, Kind.ACCELERATION_STRUCTURE, false));
        }
        bindings.sort(Comparator.comparingInt(ShaderBinding::set).thenComparingInt(ShaderBinding::binding));
        return bindings;
    }

    private ShaderBinding binding(SpvcReflectedResource resource, Kind kind, boolean written) {
        String known = resource.nameString();
        int set = ShaderNumbers.ofBinding(
                name, known, "set", spvc_compiler_get_decoration(compiler, resource.id(), SpvDecorationDescriptorSet));
        int number = ShaderNumbers.ofBinding(
                name, known, "number", spvc_compiler_get_decoration(compiler, resource.id(), SpvDecorationBinding));
        boolean block = kind == Kind.UNIFORM_BUFFER || kind == Kind.STORAGE_BUFFER;
        String given = spvc_compiler_get_name(compiler, block ? resource.base_type_id() : resource.id());
        // Stripped SPIR-V has no names, but everything is bound by name.
        String called = given == null || given.isEmpty() ? "set" + set + "_binding" + number : known;
        return new ShaderBinding(
                called,
                set,
                number,
                kind,
                written,
                count(called, resource.type_id()),
                storageFormat(resource, kind),
                textureType(called, resource, kind),
                block ? leastBytes(resource.base_type_id()) : 0,
                kind == Kind.INPUT_ATTACHMENT ? attachment(called, resource) : -1);
    }

    private int attachment(String called, SpvcReflectedResource resource) {
        if (!spvc_compiler_has_decoration(compiler, resource.id(), SpvDecorationInputAttachmentIndex)
                || count(called, resource.type_id()) != 1) {
            throw new ShaderCompilationException("shader '" + name + "': input attachment '" + called
                    + "' is an array or has no input_attachment_index; declare one of its own for each attachment");
        }
        return spvc_compiler_get_decoration(compiler, resource.id(), SpvDecorationInputAttachmentIndex);
    }

    private ShaderBinding.@Nullable TextureType textureType(String binding, SpvcReflectedResource resource, Kind kind) {
        return switch (kind) {
            case SAMPLED_TEXTURE, SAMPLED_IMAGE, STORAGE_TEXTURE, INPUT_ATTACHMENT ->
                textureType(
                        "shader '" + name + "': binding '" + binding + "'",
                        resource.base_type_id(),
                        kind == Kind.SAMPLED_IMAGE);
            case SAMPLER, UNIFORM_BUFFER, STORAGE_BUFFER, ACCELERATION_STRUCTURE -> null;
        };
    }

    /**
     * Reads a type of textures.
     *
     * @param where names shader and binding, for messages
     * @param type id of a type of images, with samplers or without
     * @param alone whether it is bound without a sampler: then its type leaves the comparison open, and stages may
     *     differ
     * @throws ShaderCompilationException if no texture can be seen so
     */
    private TextureType textureType(String where, int type, boolean alone) {
        int at = module.definition(type);
        int image = module.opcode(at) == Spv.SpvOpTypeSampledImage ? module.definition(module.operand(at, 2)) : at;
        Comparison comparison = switch (alone ? UNKNOWN_DEPTH : module.operand(image, 4)) {
            case 0 -> Comparison.NEVER;
            case 1 -> Comparison.ALWAYS;
            default -> Comparison.UNKNOWN;
        };
        return new TextureType(
                viewKind(where, module.operand(image, 3), module.operand(image, 5) != 0),
                module.operand(image, 6) != 0,
                comparison,
                numbers(module.definition(module.operand(image, 2))));
    }

    private static TextureViewKind viewKind(String where, int dimension, boolean arrayed) {
        return switch (dimension) {
            case Spv.SpvDim2D, Spv.SpvDimSubpassData -> arrayed ? TextureViewKind.TWO_D_ARRAY : TextureViewKind.TWO_D;
            case Spv.SpvDim3D -> TextureViewKind.THREE_D;
            case Spv.SpvDimCube -> arrayed ? TextureViewKind.CUBE_ARRAY : TextureViewKind.CUBE;
            case Spv.SpvDimBuffer ->
                throw new ShaderCompilationException(where + " is a buffer of texels; use a storage block");
            case Spv.SpvDim1D ->
                throw new ShaderCompilationException(
                        where + " is a texture of one dimension; use one of two dimensions and height 1");
            default ->
                throw new ShaderCompilationException(
                        where + " is a texture of SPIR-V dimension " + dimension + "; use one of two dimensions");
        };
    }

    private NumericKind numbers(int type) {
        if (module.opcode(type) != Spv.SpvOpTypeInt) {
            return NumericKind.FLOAT;
        }
        return module.operand(type, 3) == 0 ? NumericKind.UINT : NumericKind.SINT;
    }

    private @Nullable Format storageFormat(SpvcReflectedResource resource, Kind kind) {
        return kind == Kind.STORAGE_TEXTURE
                ? StorageFormats.of(spvc_type_get_image_storage_format(
                        spvc_compiler_get_type_handle(compiler, resource.base_type_id())))
                : null;
    }

    private int count(String binding, int typeId) {
        long type = spvc_compiler_get_type_handle(compiler, typeId);
        int dimensions = spvc_type_get_num_array_dimensions(type);
        if (dimensions == 0) {
            return 1;
        }
        int length = spvc_type_get_array_dimension(type, 0);
        if (dimensions == 1 && length == 0 && spvc_type_array_dimension_is_literal(type, 0)) {
            return 0;
        }
        if (dimensions == 1 && length < 0) {
            throw new ShaderCompilationException("shader '" + name + "': binding '" + binding + "' is an array of "
                    + Integer.toUnsignedString(length) + ", which is more than any device allows; make it shorter");
        }
        if (dimensions > 1 || length < 1 || !spvc_type_array_dimension_is_literal(type, 0)) {
            throw new ShaderCompilationException("shader '" + name + "': binding '" + binding
                    + "' is an array of several dimensions or of a specialized length, which is not supported; give it"
                    + " one dimension and a number");
        }
        return length;
    }

    private boolean isReadOnlyBlock(int id) {
        if (spvc_compiler_has_decoration(compiler, id, SpvDecorationNonWritable)) {
            return true;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer decorations = stack.mallocPointer(1);
            PointerBuffer count = stack.mallocPointer(1);
            check(spvc_compiler_get_buffer_block_decorations(compiler, id, decorations, count));
            for (int i = 0; i < count.get(0); i++) {
                if (MemoryUtil.memGetInt(decorations.get(0) + (long) i * Integer.BYTES) == SpvDecorationNonWritable) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Returns the bytes of a block: up to the first array whose length a specialization constant sets, and without
     * elements of an array of no length.
     *
     * @param block id of the struct
     */
    private long leastBytes(int block) {
        long type = spvc_compiler_get_type_handle(compiler, block);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            for (int i = 0; i < spvc_type_get_num_member_types(type); i++) {
                if (!isFixed(spvc_type_get_member_type(type, i))) {
                    IntBuffer offset = stack.mallocInt(1);
                    boolean known = spvc_compiler_type_struct_member_offset(compiler, type, i, offset) == SPVC_SUCCESS;
                    return known ? Integer.toUnsignedLong(offset.get(0)) : 0;
                }
            }
            PointerBuffer size = stack.mallocPointer(1);
            boolean known = spvc_compiler_get_declared_struct_size(compiler, type, size) == SPVC_SUCCESS;
            return known ? size.get(0) : 0;
        }
    }

    private boolean isFixed(int typeId) {
        long type = spvc_compiler_get_type_handle(compiler, typeId);
        for (int i = 0; i < spvc_type_get_num_array_dimensions(type); i++) {
            if (!spvc_type_array_dimension_is_literal(type, i)) {
                return false;
            }
        }
        int members = spvc_type_get_basetype(type) == SPVC_BASETYPE_STRUCT ? spvc_type_get_num_member_types(type) : 0;
        for (int i = 0; i < members; i++) {
            if (!isFixed(spvc_type_get_member_type(type, i))) {
                return false;
            }
        }
        return true;
    }

    private MeshOutputs meshOutputs() {
        boolean points = false;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer first = stack.mallocPointer(1);
            PointerBuffer count = stack.mallocPointer(1);
            check(spvc_compiler_get_execution_modes(compiler, first, count));
            for (int i = 0; i < count.get(0); i++) {
                points |= MemoryUtil.memGetInt(first.get(0) + (long) i * Integer.BYTES) == SpvExecutionModeOutputPoints;
            }
        }
        return new MeshOutputs(
                spvc_compiler_get_execution_mode_argument(compiler, SpvExecutionModeOutputVertices),
                spvc_compiler_get_execution_mode_argument(compiler, SpvExecutionModeOutputPrimitivesEXT),
                points);
    }

    /**
     * Returns the inputs or the outputs, sorted by location and component.
     *
     * @param outer how many dimensions of arrays around them take no locations
     */
    private List<StageVariable> variables(int resourceType, int outer) {
        List<StageVariable> variables = new ArrayList<>();
        for (SpvcReflectedResource r : list(resourceType)) {
            long type = spvc_compiler_get_type_handle(compiler, r.type_id());
            int location = spvc_compiler_get_decoration(compiler, r.id(), SpvDecorationLocation);
            ShaderNumbers.ofIndex(
                    name, r.nameString(), spvc_compiler_get_decoration(compiler, r.id(), SpvDecorationIndex));
            if (spvc_type_get_basetype(type) != SPVC_BASETYPE_STRUCT) {
                int component = spvc_compiler_get_decoration(compiler, r.id(), SpvDecorationComponent);
                boolean perPrimitive = spvc_compiler_has_decoration(compiler, r.id(), SpvDecorationPerPrimitiveEXT);
                add(variables, r.nameString(), type, outer, location, component, perPrimitive);
                continue;
            }
            for (int i = 0; i < spvc_type_get_num_member_types(type); i++) {
                int block = r.base_type_id();
                if (spvc_compiler_has_member_decoration(compiler, block, i, SpvDecorationLocation)) {
                    location = spvc_compiler_get_member_decoration(compiler, block, i, SpvDecorationLocation);
                }
                String member = r.nameString() + "." + spvc_compiler_get_member_name(compiler, block, i);
                long memberType = spvc_compiler_get_type_handle(compiler, spvc_type_get_member_type(type, i));
                location = add(
                        variables,
                        member,
                        memberType,
                        0,
                        location,
                        spvc_compiler_get_member_decoration(compiler, block, i, SpvDecorationComponent),
                        spvc_compiler_has_member_decoration(compiler, block, i, SpvDecorationPerPrimitiveEXT)
                                || spvc_compiler_has_decoration(compiler, r.id(), SpvDecorationPerPrimitiveEXT));
            }
        }
        variables.sort(Comparator.comparingInt(StageVariable::location).thenComparingInt(StageVariable::component));
        return variables;
    }

    /** Adds a variable once for each of its locations, and returns the location after it. */
    private int add(
            List<StageVariable> variables,
            String variable,
            long type,
            int outer,
            int location,
            int component,
            boolean perPrimitive) {
        StageVariable.Base base = switch (spvc_type_get_basetype(type)) {
            case SPVC_BASETYPE_FP32, SPVC_BASETYPE_FP16 -> StageVariable.Base.FLOAT;
            case SPVC_BASETYPE_INT32, SPVC_BASETYPE_INT16, SPVC_BASETYPE_INT8 -> StageVariable.Base.INT;
            case SPVC_BASETYPE_UINT32, SPVC_BASETYPE_UINT16, SPVC_BASETYPE_UINT8 -> StageVariable.Base.UINT;
            default -> StageVariable.Base.OTHER;
        };
        int components = spvc_type_get_vector_size(type);
        // Vectors of three or four 64-bit components take two.
        long locations =
                (long) spvc_type_get_columns(type) * (base == StageVariable.Base.OTHER && components > 2 ? 2 : 1);
        // The innermost dimension is the first.
        for (int i = 0; i < spvc_type_get_num_array_dimensions(type) - outer; i++) {
            long length = Math.max(1, Integer.toUnsignedLong(spvc_type_get_array_dimension(type, i)));
            locations = Math.min(locations * length, Integer.MAX_VALUE);
        }
        int first = ShaderNumbers.ofLocation(name, variable, location, locations);
        for (int i = 0; i < locations; i++) {
            variables.add(new StageVariable(variable, first + i, component, base, components, perPrimitive));
        }
        return (int) (first + locations);
    }

    private int pushConstantBytes() {
        long bytes = 0;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer size = stack.mallocPointer(1);
            for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_PUSH_CONSTANT)) {
                long type = spvc_compiler_get_type_handle(compiler, r.base_type_id());
                check(spvc_compiler_get_declared_struct_size(compiler, type, size));
                bytes = Math.max(bytes, size.get(0));
            }
        }
        // Pushed by words of four bytes; what is too large for an int is too large for any device.
        return (int) Math.min(bytes + 3, Integer.MAX_VALUE) & ~3;
    }

    private int recordBytes() {
        long bytes = 0;
        for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_SHADER_RECORD_BUFFER)) {
            bytes = Math.max(bytes, leastBytes(r.base_type_id()));
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private List<SpecializationConstant> constants() {
        List<SpecializationConstant> constants = new ArrayList<>();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer first = stack.mallocPointer(1);
            PointerBuffer count = stack.mallocPointer(1);
            check(spvc_compiler_get_specialization_constants(compiler, first, count));
            SpvcSpecializationConstant.Buffer size = SpvcSpecializationConstant.calloc(3, stack);
            spvc_compiler_get_work_group_size_specialization_constants(compiler, size.get(0), size.get(1), size.get(2));
            for (SpvcSpecializationConstant constant :
                    SpvcSpecializationConstant.create(first.get(0), Math.toIntExact(count.get(0)))) {
                String given = spvc_compiler_get_name(compiler, constant.id());
                constants.add(new SpecializationConstant(
                        given == null || given.isEmpty() ? workgroupName(size, constant.id()) : given,
                        ShaderNumbers.ofConstant(name, constant.constant_id()),
                        type(constant.id())));
            }
        }
        constants.sort(Comparator.comparingInt(SpecializationConstant::id));
        return constants;
    }

    private List<WorkgroupAxis> workgroup() {
        List<WorkgroupAxis> axes = new ArrayList<>();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            SpvcSpecializationConstant.Buffer size = SpvcSpecializationConstant.calloc(3, stack);
            spvc_compiler_get_work_group_size_specialization_constants(compiler, size.get(0), size.get(1), size.get(2));
            for (int i = 0; i < 3; i++) {
                int constant = size.get(i).id();
                axes.add(
                        constant == 0
                                ? new WorkgroupAxis(
                                        spvc_compiler_get_execution_mode_argument_by_index(
                                                compiler, SpvExecutionModeLocalSize, i),
                                        WorkgroupAxis.FIXED)
                                : new WorkgroupAxis(
                                        spvc_constant_get_scalar_u32(
                                                spvc_compiler_get_constant_handle(compiler, constant), 0, 0),
                                        size.get(i).constant_id()));
            }
        }
        return axes;
    }

    private static String workgroupName(SpvcSpecializationConstant.Buffer size, int id) {
        for (int i = 0; i < 3; i++) {
            if (size.get(i).id() == id) {
                return "local_size_" + "xyz".charAt(i);
            }
        }
        return "";
    }

    private SpecializationValue.@Nullable Type type(int constant) {
        long handle = spvc_compiler_get_constant_handle(compiler, constant);
        int base = spvc_type_get_basetype(spvc_compiler_get_type_handle(compiler, spvc_constant_get_type(handle)));
        return switch (base) {
            case SPVC_BASETYPE_INT32 -> SpecializationValue.Type.INT;
            case SPVC_BASETYPE_UINT32 -> SpecializationValue.Type.UINT;
            case SPVC_BASETYPE_FP32 -> SpecializationValue.Type.FLOAT;
            case SPVC_BASETYPE_BOOLEAN -> SpecializationValue.Type.BOOL;
            default -> null;
        };
    }

    private SpvcReflectedResource.Buffer list(int type) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer first = stack.mallocPointer(1);
            PointerBuffer count = stack.mallocPointer(1);
            check(spvc_resources_get_resource_list_for_type(resources, type, first, count));
            return SpvcReflectedResource.create(first.get(0), Math.toIntExact(count.get(0)));
        }
    }

    private void check(int result) {
        if (result != SPVC_SUCCESS) {
            throw new GpuException(
                    "SPIRV-Cross cannot read shader '" + name + "': " + spvc_context_get_last_error_string(context));
        }
    }
}
