package io.frameloom.gpu.shader;

import static org.lwjgl.util.spvc.Spv.SpvDecorationBinding;
import static org.lwjgl.util.spvc.Spv.SpvDecorationDescriptorSet;
import static org.lwjgl.util.spvc.Spv.SpvDecorationNonWritable;
import static org.lwjgl.util.spvc.Spvc.SPVC_BACKEND_NONE;
import static org.lwjgl.util.spvc.Spvc.SPVC_CAPTURE_MODE_TAKE_OWNERSHIP;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_PUSH_CONSTANT;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SAMPLED_IMAGE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SEPARATE_IMAGE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_STORAGE_BUFFER;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_STORAGE_IMAGE;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_SUBPASS_INPUT;
import static org.lwjgl.util.spvc.Spvc.SPVC_RESOURCE_TYPE_UNIFORM_BUFFER;
import static org.lwjgl.util.spvc.Spvc.SPVC_SUCCESS;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_create_shader_resources;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_buffer_block_decorations;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_declared_struct_size;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_type_handle;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_has_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_context_create;
import static org.lwjgl.util.spvc.Spvc.spvc_context_create_compiler;
import static org.lwjgl.util.spvc.Spvc.spvc_context_destroy;
import static org.lwjgl.util.spvc.Spvc.spvc_context_get_last_error_string;
import static org.lwjgl.util.spvc.Spvc.spvc_context_parse_spirv;
import static org.lwjgl.util.spvc.Spvc.spvc_resources_get_resource_list_for_type;
import static org.lwjgl.util.spvc.Spvc.spvc_type_array_dimension_is_literal;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_array_dimension;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_image_storage_format;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_num_array_dimensions;

import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.ShaderBinding.Kind;
import io.frameloom.gpu.ShaderCompilationException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.spvc.SpvcReflectedResource;

/**
 * The resources that one compiled shader declares, read from its SPIR-V by SPIRV-Cross.
 *
 * @param bindings bindings ordered by set and binding; textures by variable name, blocks by block name
 * @param pushConstantBytes bytes of the push constant block, 0 for none
 */
public record ShaderReflection(List<ShaderBinding> bindings, int pushConstantBytes) {
    /** Copies the list. */
    public ShaderReflection {
        bindings = List.copyOf(bindings);
    }

    /**
     * Reads the resources of a shader.
     *
     * @param name name of the shader, for messages
     * @param spirv SPIR-V words in a direct buffer
     * @throws ShaderCompilationException if the shader uses a kind of binding that is not supported
     */
    public static ShaderReflection of(String name, ByteBuffer spirv) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            if (spvc_context_create(out) != SPVC_SUCCESS) {
                throw new GpuException("SPIRV-Cross could not be initialised");
            }
            long context = out.get(0);
            try {
                return new Reader(name, context, spirv, stack).read();
            } finally {
                spvc_context_destroy(context);
            }
        }
    }

    /** One reading; lives inside {@link #of}. */
    private static final class Reader {
        private final String name;
        private final long context;
        private final MemoryStack stack;
        private final long compiler;
        private final long resources;

        Reader(String name, long context, ByteBuffer spirv, MemoryStack stack) {
            this.name = name;
            this.context = context;
            this.stack = stack;
            PointerBuffer out = stack.mallocPointer(1);
            check(spvc_context_parse_spirv(context, spirv.asIntBuffer(), spirv.remaining() / Integer.BYTES, out));
            check(spvc_context_create_compiler(
                    context, SPVC_BACKEND_NONE, out.get(0), SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, out));
            compiler = out.get(0);
            check(spvc_compiler_create_shader_resources(compiler, out));
            resources = out.get(0);
        }

        ShaderReflection read() {
            refuse(SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, "a texture without sampler; use sampler2D");
            refuse(SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, "a sampler without texture; use sampler2D");
            refuse(SPVC_RESOURCE_TYPE_SUBPASS_INPUT, "a subpass input; sample the texture instead");
            refuse(SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, "an acceleration structure");
            List<ShaderBinding> bindings = new ArrayList<>();
            for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_SAMPLED_IMAGE)) {
                bindings.add(binding(r, Kind.SAMPLED_TEXTURE, false));
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
            bindings.sort(Comparator.comparingInt(ShaderBinding::set).thenComparingInt(ShaderBinding::binding));
            return new ShaderReflection(bindings, pushConstantBytes());
        }

        private ShaderBinding binding(SpvcReflectedResource resource, Kind kind, boolean written) {
            long type = spvc_compiler_get_type_handle(compiler, resource.type_id());
            return new ShaderBinding(
                    resource.nameString(),
                    spvc_compiler_get_decoration(compiler, resource.id(), SpvDecorationDescriptorSet),
                    spvc_compiler_get_decoration(compiler, resource.id(), SpvDecorationBinding),
                    kind,
                    written,
                    count(resource, type),
                    kind == Kind.STORAGE_TEXTURE
                            ? StorageFormats.of(spvc_type_get_image_storage_format(
                                    spvc_compiler_get_type_handle(compiler, resource.base_type_id())))
                            : null);
        }

        /** Returns the number of elements of an array of resources, 1 if it is none. */
        private int count(SpvcReflectedResource resource, long type) {
            int dimensions = spvc_type_get_num_array_dimensions(type);
            int count = 1;
            for (int i = 0; i < dimensions; i++) {
                int length = spvc_type_get_array_dimension(type, i);
                if (length == 0 || !spvc_type_array_dimension_is_literal(type, i)) {
                    throw new ShaderCompilationException("shader '" + name + "': binding '" + resource.nameString()
                            + "' is an array of resources without a fixed length; write the length as a number");
                }
                count *= length;
            }
            return count;
        }

        private boolean isReadOnlyBlock(int id) {
            if (spvc_compiler_has_decoration(compiler, id, SpvDecorationNonWritable)) {
                return true;
            }
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

        private int pushConstantBytes() {
            int bytes = 0;
            PointerBuffer size = stack.mallocPointer(1);
            for (SpvcReflectedResource r : list(SPVC_RESOURCE_TYPE_PUSH_CONSTANT)) {
                long type = spvc_compiler_get_type_handle(compiler, r.base_type_id());
                check(spvc_compiler_get_declared_struct_size(compiler, type, size));
                bytes = Math.max(bytes, Math.toIntExact(size.get(0)));
            }
            return bytes;
        }

        private void refuse(int type, String what) {
            for (SpvcReflectedResource r : list(type)) {
                throw new ShaderCompilationException(
                        "shader '" + name + "': binding '" + r.nameString() + "' is " + what);
            }
        }

        private SpvcReflectedResource.Buffer list(int type) {
            PointerBuffer first = stack.mallocPointer(1);
            PointerBuffer count = stack.mallocPointer(1);
            check(spvc_resources_get_resource_list_for_type(resources, type, first, count));
            return SpvcReflectedResource.create(first.get(0), Math.toIntExact(count.get(0)));
        }

        private void check(int result) {
            if (result != SPVC_SUCCESS) {
                throw new GpuException("SPIRV-Cross cannot read shader '" + name + "': "
                        + spvc_context_get_last_error_string(context));
            }
        }
    }
}
