package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntHashSet;
import org.lwjgl.BufferUtils;
import org.lwjgl.util.spvc.Spv;

/** Facts in the instructions of a shader that its interface lacks. Of valid SPIR-V only; immutable; any thread. */
public final class SpirvModule {
    static final int HEADER_WORDS = 5;
    private static final int LENGTH_SHIFT = 16;
    private static final int OPCODE_MASK = 0xffff;
    /** In place of a number of a built-in variable. */
    private static final int NONE = -1;

    /** Outputs of a mesh shader for each vertex. */
    private static final List<Integer> OF_VERTICES = List.of(
            Spv.SpvBuiltInPosition, Spv.SpvBuiltInPointSize, Spv.SpvBuiltInClipDistance, Spv.SpvBuiltInCullDistance);

    /** Outputs of a mesh shader for each primitive. */
    private static final List<Integer> OF_PRIMITIVES = List.of(
            Spv.SpvBuiltInPrimitiveId,
            Spv.SpvBuiltInLayer,
            Spv.SpvBuiltInViewportIndex,
            Spv.SpvBuiltInCullPrimitiveEXT,
            Spv.SpvBuiltInPrimitiveShadingRateKHR);

    /** In the type of an image: it is used with a sampler. */
    private static final int SAMPLED = 1;

    private final int[] words;
    private final Set<Integer> capabilities = new TreeSet<>();
    private final Set<String> extensions = new TreeSet<>();
    /** By id: where its instruction begins; only types, constants and variables. */
    private final Int2IntHashMap definitions = new Int2IntHashMap(0);
    /** By id of a constant: the number that a pipeline sets it by. */
    private final Map<Integer, Integer> specializationIds = new HashMap<>();
    /** Structs of storage blocks as SPIR-V before 1.3 has them, in the storage class of uniform blocks. */
    private final IntHashSet bufferBlocks = new IntHashSet();

    /** By id of a variable: which of the built-in ones it is. */
    private final Int2IntHashMap builtIns = new Int2IntHashMap(NONE);
    /** The same of members: by the id of their struct in the upper half, and their number in it. */
    private final Map<Long, Integer> builtInMembers = new HashMap<>();
    /** The built-in variables that it may write. */
    private final IntHashSet written = new IntHashSet();

    private boolean traces;
    private int entryPoints;
    private final Set<Kind> indexed = EnumSet.noneOf(Kind.class);

    public static SpirvModule of(CompiledShader shader) {
        return new SpirvModule(shader.spirv());
    }

    SpirvModule(ByteBuffer spirv) {
        words = new int[spirv.remaining() / Integer.BYTES];
        spirv.asIntBuffer().get(words);
        // Annotations and definitions come before their uses.
        for (int at = HEADER_WORDS; at < words.length; at += length(at)) {
            read(at);
        }
    }

    /** Puts an instruction, or what takes its place, into a copy of a module. */
    @FunctionalInterface
    interface Copying {
        void put(int[] words, int at, int length, IntBuffer to);
    }

    /** Returns a copy of valid SPIR-V in a direct buffer. */
    static ByteBuffer copy(ByteBuffer spirv, Copying copying) {
        int[] words = new int[spirv.remaining() / Integer.BYTES];
        spirv.asIntBuffer().get(words);
        ByteBuffer copy = BufferUtils.createByteBuffer(spirv.remaining());
        IntBuffer to = copy.asIntBuffer();
        to.put(words, 0, HEADER_WORDS);
        for (int at = HEADER_WORDS; at < words.length; at += words[at] >>> LENGTH_SHIFT) {
            copying.put(words, at, words[at] >>> LENGTH_SHIFT, to);
        }
        return copy.limit(to.position() * Integer.BYTES);
    }

    /** Returns the number of words of an instruction, the opcode included. */
    int length(int at) {
        return Math.max(1, words[at] >>> LENGTH_SHIFT);
    }

    private void read(int at) {
        switch (opcode(at)) {
            case Spv.SpvOpCapability -> capabilities.add(words[at + 1]);
            case Spv.SpvOpExtension ->
                extensions.add(text(at + 1, at + length(at)).replaceFirst("\0+$", ""));
            case Spv.SpvOpDecorate -> {
                if (words[at + 2] == Spv.SpvDecorationSpecId) {
                    specializationIds.put(words[at + 1], words[at + 3]);
                } else if (words[at + 2] == Spv.SpvDecorationBufferBlock) {
                    bufferBlocks.add(words[at + 1]);
                } else if (words[at + 2] == Spv.SpvDecorationBuiltIn) {
                    builtIns.put(words[at + 1], words[at + 3]);
                }
            }
            case Spv.SpvOpMemberDecorate -> {
                if (words[at + 3] == Spv.SpvDecorationBuiltIn) {
                    builtInMembers.put(member(words[at + 1], words[at + 2]), words[at + 4]);
                }
            }
            case Spv.SpvOpEntryPoint -> entryPoints++;
            case Spv.SpvOpTraceRayKHR -> traces = true;
            case Spv.SpvOpStore -> {
                written.add(builtIns.get(words[at + 1]));
                int struct = pointed(definition(words[at + 1]));
                builtInMembers.forEach((member, builtIn) -> {
                    if (member >>> Integer.SIZE == struct) {
                        written.add(builtIn);
                    }
                });
            }
            case Spv.SpvOpTypeBool,
                    Spv.SpvOpTypeInt,
                    Spv.SpvOpTypeFloat,
                    Spv.SpvOpTypeVector,
                    Spv.SpvOpTypeMatrix,
                    Spv.SpvOpTypeImage,
                    Spv.SpvOpTypeSampledImage,
                    Spv.SpvOpTypeSampler,
                    Spv.SpvOpTypeArray,
                    Spv.SpvOpTypeStruct,
                    Spv.SpvOpTypePointer -> definitions.put(words[at + 1], at);
            case Spv.SpvOpConstant,
                    Spv.SpvOpConstantTrue,
                    Spv.SpvOpConstantFalse,
                    Spv.SpvOpSpecConstant,
                    Spv.SpvOpSpecConstantTrue,
                    Spv.SpvOpSpecConstantFalse,
                    Spv.SpvOpSpecConstantOp,
                    Spv.SpvOpVariable -> definitions.put(words[at + 2], at);
            case Spv.SpvOpAccessChain, Spv.SpvOpInBoundsAccessChain -> {
                if (length(at) <= 4) {
                    return;
                }
                index(at);
                written.add(builtIns.get(words[at + 3]));
                int type = pointed(definition(words[at + 3]));
                // Mesh shaders have an array of such structs, one for each vertex or primitive.
                boolean array = opcode(definition(type)) == Spv.SpvOpTypeArray && length(at) > 5;
                int struct = array ? operand(definition(type), 2) : type;
                int number = definition(words[at + (array ? 5 : 4)]);
                if (opcode(number) == Spv.SpvOpConstant) {
                    written.add(builtInMembers.getOrDefault(member(struct, operand(number, 3)), NONE));
                }
            }
            default -> {}
        }
    }

    private static long member(int struct, int number) {
        return (long) struct << Integer.SIZE | number;
    }

    /** Returns the id of the type of a variable, 0 for none. */
    private int pointed(int variable) {
        return opcode(variable) == Spv.SpvOpVariable ? operand(definition(operand(variable, 1)), 3) : 0;
    }

    /** Notes an array of bindings whose element is taken by a number that is no constant. */
    private void index(int chain) {
        int variable = definition(words[chain + 3]);
        int type = definition(pointed(variable));
        if (opcode(type) != Spv.SpvOpTypeArray || definitions.containsKey(words[chain + 4])) {
            return;
        }
        int element = operand(type, 2);
        switch (operand(variable, 3)) {
            case Spv.SpvStorageClassUniformConstant -> indexed.add(constantKind(definition(element)));
            case Spv.SpvStorageClassUniform ->
                indexed.add(bufferBlocks.contains(element) ? Kind.STORAGE_BUFFER : Kind.UNIFORM_BUFFER);
            case Spv.SpvStorageClassStorageBuffer -> indexed.add(Kind.STORAGE_BUFFER);
            default -> {}
        }
    }

    private Kind constantKind(int type) {
        return switch (opcode(type)) {
            case Spv.SpvOpTypeImage -> operand(type, 7) == SAMPLED ? Kind.SAMPLED_IMAGE : Kind.STORAGE_TEXTURE;
            case Spv.SpvOpTypeSampler -> Kind.SAMPLER;
            default -> Kind.SAMPLED_TEXTURE;
        };
    }

    public Set<Integer> capabilities() {
        return capabilities;
    }

    /** Returns the names of the SPIR-V extensions that it declares. */
    public Set<String> extensions() {
        return extensions;
    }

    /** Returns a literal string, four bytes of UTF-8 a word and the first of them in the lowest bits; zeros end it. */
    String text(int from, int end) {
        ByteBuffer bytes = ByteBuffer.allocate((end - from) * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words, from, end - from);
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    /** Returns the kinds of bindings whose arrays it indexes by numbers that are not constants. */
    public Set<Kind> dynamicallyIndexed() {
        return indexed;
    }

    /** Returns whether its only entry point calls shaders of what rays hit; of several it is not known which does. */
    public boolean traces() {
        return traces && entryPoints == 1;
    }

    /** Returns whether it may write a built-in variable, by its number in SPIR-V. */
    boolean writes(int builtIn) {
        return written.contains(builtIn);
    }

    /** Returns how many built-in outputs of vertices, or of primitives, a mesh shader may write; indices are none. */
    public long builtInOutputs(boolean perPrimitive) {
        return (perPrimitive ? OF_PRIMITIVES : OF_VERTICES)
                .stream().filter(this::writes).count();
    }

    /** Returns whether it has a built-in variable that is no member of a block, as inputs of fragment shaders are. */
    boolean hasBuiltIn(int builtIn) {
        return builtIns.containsValue(builtIn);
    }

    /**
     * Returns the bytes of memory that the invocations of a workgroup share.
     *
     * @param constants values of specialization constants: bits by number
     */
    public long sharedBytes(Map<Integer, Integer> constants) {
        return bytes(Spv.SpvStorageClassWorkgroup, constants);
    }

    /** Returns the bytes of the payload that a task shader hands to its mesh shaders, likewise. */
    public long payloadBytes(Map<Integer, Integer> constants) {
        return bytes(Spv.SpvStorageClassTaskPayloadWorkgroupEXT, constants);
    }

    /** Returns the bytes of what is known of a hit, likewise. */
    public long hitAttributeBytes(Map<Integer, Integer> constants) {
        return bytes(Spv.SpvStorageClassHitAttributeKHR, constants);
    }

    /** Returns the bytes of the largest payload of rays, of those that it is handed or of those that it hands on. */
    public long rayPayloadBytes(boolean incoming, Map<Integer, Integer> constants) {
        int storageClass = incoming ? Spv.SpvStorageClassIncomingRayPayloadKHR : Spv.SpvStorageClassRayPayloadKHR;
        SpirvSizes sizes = new SpirvSizes(this, constants);
        long largest = 0;
        for (int at = HEADER_WORDS; at < words.length; at += length(at)) {
            if (opcode(at) == Spv.SpvOpVariable && operand(at, 3) == storageClass) {
                largest = Math.max(largest, sizes.end(0, operand(definition(operand(at, 1)), 3)));
            }
        }
        return largest;
    }

    private long bytes(int storageClass, Map<Integer, Integer> constants) {
        SpirvSizes sizes = new SpirvSizes(this, constants);
        long bytes = 0;
        for (int at = HEADER_WORDS; at < words.length; at += length(at)) {
            if (opcode(at) == Spv.SpvOpVariable && operand(at, 3) == storageClass) {
                bytes = sizes.end(bytes, operand(definition(operand(at, 1)), 3));
            }
        }
        return bytes;
    }

    /** Returns the opcode of the instruction at a place, 0 for none. */
    int opcode(int at) {
        return at == 0 ? 0 : words[at] & OPCODE_MASK;
    }

    /** Returns a word of an instruction; the first after the opcode has number 1. */
    int operand(int at, int number) {
        return words[at + number];
    }

    int words() {
        return words.length;
    }

    /** Returns where the type, constant or variable of an id is defined, 0 if it is none. */
    int definition(int id) {
        return definitions.get(id);
    }

    /** Returns the number by which a pipeline sets a constant, or -1. */
    int specializationId(int id) {
        return specializationIds.getOrDefault(id, -1);
    }
}
