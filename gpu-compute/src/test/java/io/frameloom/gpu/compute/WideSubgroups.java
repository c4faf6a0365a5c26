package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderCode;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A device that says it has subgroups of 32 invocations, and whose shaders make them of workgroups: what invocations
 * exchange goes through shared memory. Subgroups that go ways of their own, as sections do, get a workgroup each, so that
 * all invocations come to the same barriers.
 */
final class WideSubgroups {
    private static final int LANES = 32;
    private static final Pattern HEADER = Pattern.compile("layout\\(local_size_x[^;]*;");

    private static final String VERSION = "#version 450\n";
    private static final String SCOPES = "#extension GL_KHR_memory_scope_semantics : require\n";

    private static final Map<String, String> NAMES = new LinkedHashMap<>();

    static {
        NAMES.put("subgroupShuffleUp", "wideShuffleUp");
        NAMES.put("subgroupShuffleDown", "wideShuffleDown");
        NAMES.put("subgroupShuffleXor", "wideShuffleXor");
        NAMES.put("subgroupShuffle", "wideShuffle");
        NAMES.put("subgroupBallot", "wideBallot");
        NAMES.put("gl_SubgroupInvocationID", "wideLane()");
        NAMES.put("gl_SubgroupID", "WIDE_SUBGROUP");
        NAMES.put("gl_SubgroupSize", "32u");
        NAMES.put("gl_ScopeSubgroup", "gl_ScopeWorkgroup");
    }

    /** Says which subgroup of its workgroup this is. */
    private static final String TOGETHER = "\n#define WIDE_SUBGROUP (gl_LocalInvocationIndex / 32u)\n";

    private static final String APART = """

            layout(local_size_x = 32) in;
            #define WIDE_SUBGROUP (gl_WorkGroupID.x % uint(GROUP_SECTIONS))
            #define WIDE_GROUPS (gl_NumWorkGroups.x / uint(GROUP_SECTIONS))
            #define WIDE_GROUP uvec3(gl_WorkGroupID.x / uint(GROUP_SECTIONS), gl_WorkGroupID.yz)
            """;

    private static final String EXCHANGE = """

            shared uint wideCells[gl_WorkGroupSize.x];
            void wideBarrier() {
                controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, BARRIER_SEMANTICS);
            }
            uint wideLane() { return gl_LocalInvocationIndex % 32u; }
            uint wideShuffle(uint value, uint lane) {
                wideCells[gl_LocalInvocationIndex] = value;
                wideBarrier();
                uint other = wideCells[gl_LocalInvocationIndex - wideLane() + (lane & 31u)];
                wideBarrier();
                return other;
            }
            int wideShuffle(int value, uint lane) { return int(wideShuffle(uint(value), lane)); }
            float wideShuffle(float value, uint lane) {
                return uintBitsToFloat(wideShuffle(floatBitsToUint(value), lane));
            }
            uvec2 wideShuffle(uvec2 value, uint lane) {
                return uvec2(wideShuffle(value.x, lane), wideShuffle(value.y, lane));
            }
            uvec3 wideShuffle(uvec3 value, uint lane) {
                return uvec3(wideShuffle(value.xy, lane), wideShuffle(value.z, lane));
            }
            uvec4 wideShuffle(uvec4 value, uint lane) {
                return uvec4(wideShuffle(value.x, lane), wideShuffle(value.y, lane), wideShuffle(value.z, lane),
                             wideShuffle(value.w, lane));
            }
            #define wideShuffleUp(value, by) wideShuffle(value, wideLane() - (by))
            #define wideShuffleDown(value, by) wideShuffle(value, wideLane() + (by))
            #define wideShuffleXor(value, by) wideShuffle(value, wideLane() ^ (by))
            uvec4 wideBallot(bool one) {
                wideCells[gl_LocalInvocationIndex] = one ? 1u << wideLane() : 0u;
                wideBarrier();
                uint votes = 0u;
                for (uint lane = 0u; lane < 32u; lane++) {
                    votes |= wideCells[gl_LocalInvocationIndex - wideLane() + lane];
                }
                wideBarrier();
                return uvec4(votes, 0u, 0u, 0u);
            }
            uint wideBallotFindLSB(uvec4 votes) { return uint(findLSB(votes.x)); }
            """;

    private final GpuDevice device;
    private final boolean vulkanMemoryModel;
    /** Workgroups that each one of a pipeline became. */
    private final IdentityHashMap<Pipeline, Integer> parts = new IdentityHashMap<>();

    private int bound = 1;

    /** @param vulkanMemoryModel whether the device says that its shaders may declare the Vulkan memory model */
    WideSubgroups(GpuDevice device, boolean vulkanMemoryModel) {
        this.device = device;
        this.vulkanMemoryModel = vulkanMemoryModel;
    }

    /** Returns the device. */
    GpuDevice device() {
        GpuDevice says = OtherLimits.device(device, this::wide, description -> description);
        return (GpuDevice) Proxy.newProxyInstance(
                GpuDevice.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("createComputePipeline")) {
                        ComputePipelineDescription narrow = (ComputePipelineDescription) arguments[0];
                        Object pipeline = call(device, method, wide(narrow));
                        parts.put((Pipeline) pipeline, parts(narrow));
                        return pipeline;
                    }
                    return call(says, method, arguments);
                });
    }

    /** Returns a list whose dispatches of this device's pipelines have as many workgroups as these need. */
    CommandList list(CommandList list) {
        return (CommandList) Proxy.newProxyInstance(
                CommandList.class.getClassLoader(), new Class<?>[] {CommandList.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("bindPipeline")) {
                        bound = Objects.requireNonNull(
                                parts.get((Pipeline) arguments[0]), "a pipeline of another device");
                    } else if (method.getName().equals("dispatch")) {
                        arguments[0] = (int) arguments[0] * bound;
                    }
                    return call(list, method, arguments);
                });
    }

    private static Object call(Object on, Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static int parts(ComputePipelineDescription narrow) {
        ShaderCode.Glsl code = (ShaderCode.Glsl) narrow.shader().code();
        return Integer.parseInt(code.defines().getOrDefault("GROUP_SECTIONS", "1"));
    }

    private DeviceLimits.Compute wide(DeviceLimits.Compute narrow) {
        return new DeviceLimits.Compute(
                narrow.maxGroups(),
                narrow.maxGroupSize(),
                narrow.maxInvocations(),
                narrow.maxSharedBytes(),
                LANES,
                LANES,
                LANES,
                ScanShape.NEEDED,
                vulkanMemoryModel,
                true);
    }

    private static ComputePipelineDescription wide(ComputePipelineDescription narrow) {
        ShaderSource shader = narrow.shader();
        ShaderCode.Glsl code = (ShaderCode.Glsl) shader.code();
        ShaderIncludes files = code.includes();
        boolean apart = parts(narrow) > 1;
        ShaderSource source = new ShaderSource(
                        shader.name(),
                        shader.stage(),
                        HEADER.matcher(replaced(code.text(), apart).replace(VERSION, VERSION + SCOPES))
                                .replaceFirst((apart ? APART : "$0" + TOGETHER) + EXCHANGE),
                        code.defines())
                .withIncludes(path -> {
                    @Nullable String text = files.read(path);
                    return text == null ? null : replaced(text, apart);
                });
        return new ComputePipelineDescription(narrow.name(), source, narrow.kernel());
    }

    private static String replaced(String text, boolean apart) {
        String wide = text;
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            wide = wide.replace(name.getKey(), name.getValue());
        }
        return apart ? wide.replace("gl_WorkGroupID", "WIDE_GROUP").replace("gl_NumWorkGroups.x", "WIDE_GROUPS") : wide;
    }
}
