package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;
import io.frameloom.gpu.shader.SamplerPair.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntArrayList;
import org.lwjgl.util.spvc.Spv;

/**
 * Finds the images and samplers that an entry point samples with each other. Every function is read once, with its
 * parameters left open, and each of its calls fills in its arguments. So a helper with several callers pairs only
 * images and samplers that one of them passes together. Of valid SPIR-V only. One thread.
 */
final class SamplerPairReader {
    private static final int ANY = -1;
    private static final int PLAIN = 1;
    private static final int COMPARED = 2;

    private final SpirvModule module;
    private final Map<Integer, Integer> sets = new HashMap<>();
    private final Map<Integer, Integer> numbers = new HashMap<>();
    /** By id: the place of the instruction that defines it, for instructions that pass on images and samplers. */
    private final Int2IntHashMap results = new Int2IntHashMap(0);

    private final Int2ObjectHashMap<Function> functions = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Set<Use>> uses = new Int2ObjectHashMap<>();

    /** The relevant parts of a function: places of instructions, and ids of parameters. */
    private static final class Function {
        private final IntArrayList parameters = new IntArrayList();
        private final IntArrayList samples = new IntArrayList();
        private final IntArrayList calls = new IntArrayList();
    }

    /** A variable, parameter or other id, and which element of it. */
    private record Origin(int id, int element) {
        Origin of(int source, int part) {
            return new Origin(source, element == ANY ? part : element);
        }
    }

    /** A sampling, by its operands. */
    private record Use(Origin image, Origin sampler, boolean compared) {}

    /** An image with a sampler. */
    private record Met(Part image, Part sampler) {}

    SamplerPairReader(SpirvModule module) {
        this.module = module;
    }

    /** Returns the pairs of an entry point, each once, in the order of the code. */
    List<SamplerPair> read(int model, String entry) {
        int start = scan(model, entry);
        Map<Met, Integer> ways = new LinkedHashMap<>();
        for (Use use : uses(start)) {
            ways.merge(
                    new Met(part(use.image), part(use.sampler)),
                    use.compared ? COMPARED : PLAIN,
                    (known, other) -> known | other);
        }
        List<SamplerPair> pairs = new ArrayList<>();
        ways.forEach((met, way) -> pairs.add(new SamplerPair(
                met.image,
                met.sampler,
                switch (way) {
                    case PLAIN -> Comparison.NEVER;
                    case COMPARED -> Comparison.ALWAYS;
                    default -> Comparison.UNKNOWN;
                })));
        return pairs;
    }

    /** Looks at all instructions, and returns the function of the entry point. */
    private int scan(int model, String entry) {
        int start = 0;
        Function function = new Function();
        for (int at = SpirvModule.HEADER_WORDS; at < module.words(); at += module.length(at)) {
            switch (module.opcode(at)) {
                case Spv.SpvOpEntryPoint -> {
                    boolean named = module.text(at + 3, at + module.length(at)).startsWith(entry + '\0');
                    start = named && module.operand(at, 1) == model ? module.operand(at, 2) : start;
                }
                case Spv.SpvOpDecorate -> decorate(at);
                case Spv.SpvOpFunction -> {
                    function = new Function();
                    functions.put(module.operand(at, 2), function);
                }
                case Spv.SpvOpFunctionParameter -> {
                    function.parameters.addInt(module.operand(at, 2));
                    results.put(module.operand(at, 2), at);
                }
                case Spv.SpvOpFunctionCall -> function.calls.addInt(at);
                case Spv.SpvOpVariable,
                        Spv.SpvOpLoad,
                        Spv.SpvOpCopyObject,
                        Spv.SpvOpAccessChain,
                        Spv.SpvOpInBoundsAccessChain,
                        Spv.SpvOpSampledImage,
                        Spv.SpvOpImage,
                        Spv.SpvOpPhi,
                        Spv.SpvOpSelect -> results.put(module.operand(at, 2), at);
                default -> {
                    if (way(module.opcode(at)) != 0) {
                        function.samples.addInt(at);
                    }
                }
            }
        }
        return start;
    }

    private void decorate(int at) {
        switch (module.operand(at, 2)) {
            case Spv.SpvDecorationDescriptorSet -> sets.put(module.operand(at, 1), module.operand(at, 3));
            case Spv.SpvDecorationBinding -> numbers.put(module.operand(at, 1), module.operand(at, 3));
            default -> {}
        }
    }

    /** Returns how an instruction reads texels through a sampler, 0 for one that does not. */
    private static int way(int opcode) {
        return switch (opcode) {
            case Spv.SpvOpImageSampleImplicitLod,
                    Spv.SpvOpImageSampleExplicitLod,
                    Spv.SpvOpImageSampleProjImplicitLod,
                    Spv.SpvOpImageSampleProjExplicitLod,
                    Spv.SpvOpImageGather,
                    Spv.SpvOpImageSparseSampleImplicitLod,
                    Spv.SpvOpImageSparseSampleExplicitLod,
                    Spv.SpvOpImageSparseSampleProjImplicitLod,
                    Spv.SpvOpImageSparseSampleProjExplicitLod,
                    Spv.SpvOpImageSparseGather -> PLAIN;
            case Spv.SpvOpImageSampleDrefImplicitLod,
                    Spv.SpvOpImageSampleDrefExplicitLod,
                    Spv.SpvOpImageSampleProjDrefImplicitLod,
                    Spv.SpvOpImageSampleProjDrefExplicitLod,
                    Spv.SpvOpImageDrefGather,
                    Spv.SpvOpImageSparseSampleDrefImplicitLod,
                    Spv.SpvOpImageSparseSampleDrefExplicitLod,
                    Spv.SpvOpImageSparseSampleProjDrefImplicitLod,
                    Spv.SpvOpImageSparseSampleProjDrefExplicitLod,
                    Spv.SpvOpImageSparseDrefGather -> COMPARED;
            default -> 0;
        };
    }

    /** Returns the samplings of a function and those that it calls, by variables and its own parameters. */
    private Set<Use> uses(int id) {
        Set<Use> known = uses.get(id);
        Function function = functions.get(id);
        if (known != null || function == null) {
            return known == null ? Set.of() : known;
        }
        Set<Use> found = new LinkedHashSet<>();
        uses.put(id, found);
        for (int at : function.samples) {
            int sampled = combination(module.operand(at, 3));
            if (sampled != 0) {
                add(
                        found,
                        origins(new Origin(module.operand(sampled, 3), ANY)),
                        origins(new Origin(module.operand(sampled, 4), ANY)),
                        way(module.opcode(at)) == COMPARED);
            }
        }
        for (int call : function.calls) {
            int callee = module.operand(call, 3);
            for (Use use : List.copyOf(uses(callee))) {
                add(found, passed(use.image, call, callee), passed(use.sampler, call, callee), use.compared);
            }
        }
        return found;
    }

    private static void add(Set<Use> found, Set<Origin> images, Set<Origin> samplers, boolean compared) {
        for (Origin image : images) {
            for (Origin sampler : samplers) {
                found.add(new Use(image, sampler, compared));
            }
        }
    }

    /** Returns the place where an image and a sampler were combined, 0 if they were bound so. */
    private int combination(int id) {
        int at = results.get(id);
        while (module.opcode(at) == Spv.SpvOpCopyObject) {
            at = results.get(module.operand(at, 3));
        }
        return module.opcode(at) == Spv.SpvOpSampledImage ? at : 0;
    }

    /** Returns the argument of a call for a parameter of the called function; variables stay as they are. */
    private Set<Origin> passed(Origin origin, int call, int callee) {
        Function function = functions.get(callee);
        int parameter = function == null ? -1 : function.parameters.indexOf(origin.id);
        return parameter < 0 ? Set.of(origin) : origins(origin.of(module.operand(call, 4 + parameter), ANY));
    }

    /** Returns the variables and parameters that an operand may come from; an id of 0 for unknown ones. */
    private Set<Origin> origins(Origin of) {
        Set<Origin> found = new LinkedHashSet<>();
        Set<Origin> seen = new HashSet<>();
        Deque<Origin> left = new ArrayDeque<>();
        left.add(of);
        while (!left.isEmpty()) {
            Origin next = left.remove();
            if (!seen.add(next)) {
                continue;
            }
            int at = results.get(next.id);
            switch (module.opcode(at)) {
                case Spv.SpvOpVariable, Spv.SpvOpFunctionParameter -> found.add(next);
                case Spv.SpvOpLoad, Spv.SpvOpCopyObject, Spv.SpvOpImage, Spv.SpvOpSampledImage ->
                    left.add(next.of(module.operand(at, 3), ANY));
                case Spv.SpvOpAccessChain, Spv.SpvOpInBoundsAccessChain ->
                    left.add(next.of(module.operand(at, 3), element(at)));
                case Spv.SpvOpPhi -> {
                    for (int i = 3; i < module.length(at); i += 2) {
                        left.add(next.of(module.operand(at, i), ANY));
                    }
                }
                case Spv.SpvOpSelect -> {
                    left.add(next.of(module.operand(at, 4), ANY));
                    left.add(next.of(module.operand(at, 5), ANY));
                }
                default -> found.add(new Origin(0, ANY));
            }
        }
        return found;
    }

    private int element(int chain) {
        int index = module.length(chain) > 4 ? module.definition(module.operand(chain, 4)) : 0;
        // A negative one is no element either.
        return module.opcode(index) == Spv.SpvOpConstant ? module.operand(index, 3) : ANY;
    }

    private Part part(Origin origin) {
        Integer set = sets.get(origin.id);
        Integer number = numbers.get(origin.id);
        return set == null || number == null ? Part.ANY : new Part(set, number, Math.max(ANY, origin.element));
    }
}
