package io.frameloom.gpu.shader;

import static org.lwjgl.util.spvc.Spv.SpvDecorationComponent;
import static org.lwjgl.util.spvc.Spv.SpvDecorationIndex;
import static org.lwjgl.util.spvc.Spv.SpvDecorationLocation;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_FP16;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_FP32;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_INT16;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_INT32;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_INT8;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_STRUCT;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_UINT16;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_UINT32;
import static org.lwjgl.util.spvc.Spvc.SPVC_BASETYPE_UINT8;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_member_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_member_name;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_get_type_handle;
import static org.lwjgl.util.spvc.Spvc.spvc_compiler_has_member_decoration;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_array_dimension;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_basetype;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_columns;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_member_type;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_num_array_dimensions;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_num_member_types;
import static org.lwjgl.util.spvc.Spvc.spvc_type_get_vector_size;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.lwjgl.util.spvc.SpvcReflectedResource;

/** Reads the inputs or the outputs of a stage from SPIRV-Cross. One thread, once. */
final class StageVariableReader {
    private final String shader;
    private final long compiler;
    private final List<StageVariable> variables = new ArrayList<>();

    /** @param compiler of SPIRV-Cross, with the entry point selected */
    StageVariableReader(String shader, long compiler) {
        this.shader = shader;
        this.compiler = compiler;
    }

    /** Returns the variables of some resources, sorted by location and component. */
    List<StageVariable> read(SpvcReflectedResource.Buffer resources) {
        for (SpvcReflectedResource r : resources) {
            long type = spvc_compiler_get_type_handle(compiler, r.type_id());
            int location = spvc_compiler_get_decoration(compiler, r.id(), SpvDecorationLocation);
            ShaderNumbers.ofIndex(
                    shader, r.nameString(), spvc_compiler_get_decoration(compiler, r.id(), SpvDecorationIndex));
            if (spvc_type_get_basetype(type) != SPVC_BASETYPE_STRUCT) {
                int component = spvc_compiler_get_decoration(compiler, r.id(), SpvDecorationComponent);
                add(r.nameString(), type, location, component);
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
                        member,
                        memberType,
                        location,
                        spvc_compiler_get_member_decoration(compiler, block, i, SpvDecorationComponent));
            }
        }
        variables.sort(Comparator.comparingInt(StageVariable::location).thenComparingInt(StageVariable::component));
        return variables;
    }

    /** Adds a variable once for each of its locations, and returns the location after it. */
    private int add(String variable, long type, int location, int component) {
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
        for (int i = 0; i < spvc_type_get_num_array_dimensions(type); i++) {
            long length = Math.max(1, Integer.toUnsignedLong(spvc_type_get_array_dimension(type, i)));
            locations = Math.min(locations * length, Integer.MAX_VALUE);
        }
        int first = ShaderNumbers.ofLocation(shader, variable, location, locations);
        for (int i = 0; i < locations; i++) {
            variables.add(new StageVariable(variable, first + i, component, base, components));
        }
        return (int) (first + locations);
    }
}
