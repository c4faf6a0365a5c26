package io.frameloom.gpu.shader;

import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_STRUCT;
import static org.lwjgl.util.spvc.Spvc.SPVC_SUCCESS;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_declared_struct_size;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_type_handle;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_type_struct_member_offset;
import static org.lwjgl.util.spvc.Spvc.spvc_type_array_dimension_is_literal;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_basetype;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_member_type;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_num_array_dimensions;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_num_member_types;

import java.nio.IntBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/** How many bytes the blocks of a shader have at least. Stateless. */
final class BlockSizes {
    private BlockSizes() {}

    /**
     * Returns the bytes of a block: up to the first array whose length a specialization constant sets, and without
     * elements of an array of no length.
     *
     * @param compiler that of SPIRV-Cross
     * @param block id of the struct
     */
    static long least(long compiler, int block) {
        long type = spvc_compiler_get_type_handle(compiler, block);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            for (int i = 0; i < spvc_type_get_num_member_types(type); i++) {
                if (!isFixed(compiler, spvc_type_get_member_type(type, i))) {
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

    private static boolean isFixed(long compiler, int typeId) {
        long type = spvc_compiler_get_type_handle(compiler, typeId);
        for (int i = 0; i < spvc_type_get_num_array_dimensions(type); i++) {
            if (!spvc_type_array_dimension_is_literal(type, i)) {
                return false;
            }
        }
        int members = spvc_type_get_basetype(type) == SPVC_BASETYPE_STRUCT ? spvc_type_get_num_member_types(type) : 0;
        for (int i = 0; i < members; i++) {
            if (!isFixed(compiler, spvc_type_get_member_type(type, i))) {
                return false;
            }
        }
        return true;
    }
}
