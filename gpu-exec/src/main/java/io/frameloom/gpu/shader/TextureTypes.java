package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;
import io.frameloom.gpu.pipeline.ShaderBinding.TextureType;
import io.frameloom.gpu.resource.Format.NumericKind;
import io.frameloom.gpu.resource.TextureViewKind;
import org.lwjgl.util.spvc.Spv;

/** The texture types of shaders, from the types of their variables. Stateless. */
final class TextureTypes {
    private static final int UNKNOWN_DEPTH = 2;

    private TextureTypes() {}

    /**
     * Reads a type.
     *
     * @param where names shader and binding, for messages
     * @param type id of a type of images, with samplers or without
     * @param alone whether it is bound without a sampler: then its type leaves the comparison open, and stages may
     *     differ
     * @throws ShaderCompilationException if no texture can be seen so
     */
    static TextureType of(String where, SpirvModule module, int type, boolean alone) {
        int at = module.definition(type);
        int image = module.opcode(at) == Spv.SpvOpTypeSampledImage ? module.definition(module.operand(at, 2)) : at;
        Comparison comparison = switch (alone ? UNKNOWN_DEPTH : module.operand(image, 4)) {
            case 0 -> Comparison.NEVER;
            case 1 -> Comparison.ALWAYS;
            default -> Comparison.UNKNOWN;
        };
        return new TextureType(
                kind(where, module.operand(image, 3), module.operand(image, 5) != 0),
                module.operand(image, 6) != 0,
                comparison,
                numbers(module, module.definition(module.operand(image, 2))));
    }

    private static TextureViewKind kind(String where, int dimension, boolean arrayed) {
        return switch (dimension) {
            case Spv.SpvDim2D -> arrayed ? TextureViewKind.TWO_D_ARRAY : TextureViewKind.TWO_D;
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

    private static NumericKind numbers(SpirvModule module, int type) {
        if (module.opcode(type) != Spv.SpvOpTypeInt) {
            return NumericKind.FLOAT;
        }
        return module.operand(type, 3) == 0 ? NumericKind.UINT : NumericKind.SINT;
    }
}
