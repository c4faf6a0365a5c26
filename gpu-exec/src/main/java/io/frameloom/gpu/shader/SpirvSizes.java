package io.frameloom.gpu.shader;

import java.util.Map;
import java.util.OptionalLong;
import org.lwjgl.util.spvc.Spv;

/**
 * Sizes of types by the standard rules for storage buffers ("Offset and Stride Assignment" in the Vulkan
 * specification), with booleans of 32 bits. For comparing variables of shared memory with a device's limit. Immutable.
 */
final class SpirvSizes {
    private static final int BOOL_BYTES = 4;
    /** More than any device has, and sums of it fit: larger sizes count as this. */
    private static final long HUGE = 1L << 40;

    private final SpirvModule module;
    private final Map<Integer, Integer> constants;

    /** Bytes of a type, and its alignment. */
    private record Extent(long bytes, long alignment) {
        long stride() {
            return up(bytes, alignment);
        }
    }

    SpirvSizes(SpirvModule module, Map<Integer, Integer> constants) {
        this.module = module;
        this.constants = constants;
    }

    /** Returns the first offset after a variable, which itself may begin at {@code offset}. */
    long end(long offset, int type) {
        Extent extent = extent(type);
        return Math.min(up(offset, extent.alignment) + extent.bytes, HUGE);
    }

    private static long up(long bytes, long alignment) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    private Extent extent(int type) {
        int at = module.definition(type);
        return switch (module.opcode(at)) {
            case Spv.SpvOpTypeInt, Spv.SpvOpTypeFloat -> {
                long bytes = module.operand(at, 2) / Byte.SIZE;
                yield new Extent(bytes, bytes);
            }
            case Spv.SpvOpTypeVector -> {
                long each = extent(module.operand(at, 2)).bytes;
                int count = module.operand(at, 3);
                yield new Extent(each * count, each * (count == 2 ? 2 : 4));
            }
            case Spv.SpvOpTypeMatrix -> array(extent(module.operand(at, 2)), module.operand(at, 3));
            case Spv.SpvOpTypeArray ->
                // An unknown length is at least one.
                array(
                        extent(module.operand(at, 2)),
                        Math.max(1, value(module.operand(at, 3)).orElse(1)));
            case Spv.SpvOpTypeStruct -> {
                long end = 0;
                long alignment = 1;
                for (int i = 2; i < module.length(at); i++) {
                    Extent member = extent(module.operand(at, i));
                    end = Math.min(up(end, member.alignment) + member.bytes, HUGE);
                    alignment = Math.max(alignment, member.alignment);
                }
                yield new Extent(up(end, alignment), alignment);
            }
            default -> new Extent(BOOL_BYTES, BOOL_BYTES);
        };
    }

    private static Extent array(Extent element, long count) {
        boolean huge = element.stride() > HUGE / count;
        return new Extent(huge ? HUGE : element.stride() * count, element.alignment);
    }

    /** Returns the value of a constant of 32 bits, empty if an operation that is not followed makes it. */
    private OptionalLong value(int id) {
        int at = module.definition(id);
        return switch (module.opcode(at)) {
            case Spv.SpvOpConstant -> OptionalLong.of(Integer.toUnsignedLong(module.operand(at, 3)));
            case Spv.SpvOpSpecConstant ->
                OptionalLong.of(Integer.toUnsignedLong(
                        constants.getOrDefault(module.specializationId(id), module.operand(at, 3))));
            case Spv.SpvOpSpecConstantOp -> module.length(at) == 6 ? operation(at) : OptionalLong.empty();
            default -> OptionalLong.empty();
        };
    }

    private OptionalLong operation(int at) {
        OptionalLong left = value(module.operand(at, 4));
        OptionalLong right = value(module.operand(at, 5));
        if (left.isEmpty() || right.isEmpty()) {
            return OptionalLong.empty();
        }
        int a = (int) left.getAsLong();
        int b = (int) right.getAsLong();
        return switch (module.operand(at, 3)) {
            case Spv.SpvOpIAdd -> unsigned(a + b);
            case Spv.SpvOpISub -> unsigned(a - b);
            case Spv.SpvOpIMul -> unsigned(a * b);
            case Spv.SpvOpUDiv -> b == 0 ? OptionalLong.empty() : unsigned(Integer.divideUnsigned(a, b));
            case Spv.SpvOpSDiv -> b == 0 ? OptionalLong.empty() : unsigned(a / b);
            case Spv.SpvOpUMod -> b == 0 ? OptionalLong.empty() : unsigned(Integer.remainderUnsigned(a, b));
            case Spv.SpvOpShiftLeftLogical -> unsigned(a << b);
            case Spv.SpvOpShiftRightLogical -> unsigned(a >>> b);
            case Spv.SpvOpShiftRightArithmetic -> unsigned(a >> b);
            case Spv.SpvOpBitwiseAnd -> unsigned(a & b);
            case Spv.SpvOpBitwiseOr -> unsigned(a | b);
            default -> OptionalLong.empty();
        };
    }

    private static OptionalLong unsigned(int value) {
        return OptionalLong.of(Integer.toUnsignedLong(value));
    }
}
