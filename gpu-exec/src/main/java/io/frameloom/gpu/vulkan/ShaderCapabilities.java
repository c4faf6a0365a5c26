package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.shader.CompiledShader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;

/**
 * The capabilities that a shader declares, against the features of the device that are on: a driver is not bound to find a
 * shader that uses what was not switched on. Of "Capabilities" in the SPIR-V environment of the Vulkan specification, those
 * that one feature of Vulkan 1.0 to 1.3 opens; what extensions bring is the driver's to judge.
 */
final class ShaderCapabilities {
    private static final int HEADER_WORDS = 5;
    private static final int OP_CAPABILITY = 17;
    private static final int LENGTH_SHIFT = 16;
    private static final int OPCODE_MASK = 0xffff;

    private ShaderCapabilities() {}

    /**
     * Checks a shader.
     *
     * @param pipeline kind and name of the pipeline, for messages
     * @param shader its code
     * @param core device
     */
    static void check(String pipeline, CompiledShader shader, DeviceCore core) {
        ByteBuffer code = shader.spirv();
        int word = HEADER_WORDS;
        // Capabilities are the first instructions of a module.
        while (word + 1 < code.remaining() / Integer.BYTES) {
            int instruction = code.getInt(word * Integer.BYTES);
            if ((instruction & OPCODE_MASK) != OP_CAPABILITY) {
                return;
            }
            int capability = code.getInt((word + 1) * Integer.BYTES);
            String off = missing(capability, core);
            if (off != null) {
                throw new IllegalArgumentException(pipeline + ": shader '" + shader.name() + "' declares SPIR-V"
                        + " capability " + capability + ", but feature " + off + " of device '"
                        + core.capabilities().name() + "' is not on; write the shader without it, or use a device that"
                        + " has it");
            }
            word += Math.max(1, instruction >>> LENGTH_SHIFT);
        }
    }

    /** Returns the name of the feature that opens a capability, or null if it is on or none is known. */
    private static @Nullable String missing(int capability, DeviceCore core) {
        String off = missing(capability, core.features().all().features());
        // An engine may switch on what came after 1.0 by structures that are not read.
        return off == null && core.owned() ? missing(capability, core.features()) : off;
    }

    private static @Nullable String missing(int capability, VkPhysicalDeviceFeatures on) {
        return switch (capability) {
            case 2 -> unless(on.geometryShader(), "geometryShader");
            case 3 -> unless(on.tessellationShader(), "tessellationShader");
            case 10 -> unless(on.shaderFloat64(), "shaderFloat64");
            case 11 -> unless(on.shaderInt64(), "shaderInt64");
            case 22 -> unless(on.shaderInt16(), "shaderInt16");
            case 25 -> unless(on.shaderImageGatherExtended(), "shaderImageGatherExtended");
            case 27, 48 -> unless(on.shaderStorageImageMultisample(), "shaderStorageImageMultisample");
            case 28 -> unless(on.shaderUniformBufferArrayDynamicIndexing(), "shaderUniformBufferArrayDynamicIndexing");
            case 29 -> unless(on.shaderSampledImageArrayDynamicIndexing(), "shaderSampledImageArrayDynamicIndexing");
            case 30 -> unless(on.shaderStorageBufferArrayDynamicIndexing(), "shaderStorageBufferArrayDynamicIndexing");
            case 31 -> unless(on.shaderStorageImageArrayDynamicIndexing(), "shaderStorageImageArrayDynamicIndexing");
            case 32 -> unless(on.shaderClipDistance(), "shaderClipDistance");
            case 33 -> unless(on.shaderCullDistance(), "shaderCullDistance");
            case 34, 45 -> unless(on.imageCubeArray(), "imageCubeArray");
            case 35, 52 -> unless(on.sampleRateShading(), "sampleRateShading");
            case 41 -> unless(on.shaderResourceResidency(), "shaderResourceResidency");
            case 42 -> unless(on.shaderResourceMinLod(), "shaderResourceMinLod");
            case 49 -> unless(on.shaderStorageImageExtendedFormats(), "shaderStorageImageExtendedFormats");
            case 55 -> unless(on.shaderStorageImageReadWithoutFormat(), "shaderStorageImageReadWithoutFormat");
            case 56 -> unless(on.shaderStorageImageWriteWithoutFormat(), "shaderStorageImageWriteWithoutFormat");
            case 57 -> unless(on.multiViewport(), "multiViewport");
            default -> null;
        };
    }

    private static @Nullable String missing(int capability, DeviceFeatures on) {
        var v11 = on.v11();
        var v12 = on.v12();
        return switch (capability) {
            case 9 -> unless(v12.shaderFloat16(), "shaderFloat16");
            case 12 ->
                unless(
                        v12.shaderBufferInt64Atomics() || v12.shaderSharedInt64Atomics(),
                        "shaderBufferInt64Atomics or shaderSharedInt64Atomics");
            case 39 -> unless(v12.shaderInt8(), "shaderInt8");
            case 4427 -> unless(v11.shaderDrawParameters(), "shaderDrawParameters");
            case 4433 -> unless(v11.storageBuffer16BitAccess(), "storageBuffer16BitAccess");
            case 4434 -> unless(v11.uniformAndStorageBuffer16BitAccess(), "uniformAndStorageBuffer16BitAccess");
            case 4435 -> unless(v11.storagePushConstant16(), "storagePushConstant16");
            case 4436 -> unless(v11.storageInputOutput16(), "storageInputOutput16");
            case 4439 -> unless(v11.multiview(), "multiview");
            case 4441 -> unless(v11.variablePointersStorageBuffer(), "variablePointersStorageBuffer");
            case 4442 -> unless(v11.variablePointers(), "variablePointers");
            case 4448 -> unless(v12.storageBuffer8BitAccess(), "storageBuffer8BitAccess");
            case 4449 -> unless(v12.uniformAndStorageBuffer8BitAccess(), "uniformAndStorageBuffer8BitAccess");
            case 4450 -> unless(v12.storagePushConstant8(), "storagePushConstant8");
            case 5302 -> unless(v12.runtimeDescriptorArray(), "runtimeDescriptorArray");
            case 5306 ->
                unless(v12.shaderUniformBufferArrayNonUniformIndexing(), "shaderUniformBufferArrayNonUniformIndexing");
            case 5307 ->
                unless(v12.shaderSampledImageArrayNonUniformIndexing(), "shaderSampledImageArrayNonUniformIndexing");
            case 5308 ->
                unless(v12.shaderStorageBufferArrayNonUniformIndexing(), "shaderStorageBufferArrayNonUniformIndexing");
            case 5309 ->
                unless(v12.shaderStorageImageArrayNonUniformIndexing(), "shaderStorageImageArrayNonUniformIndexing");
            case 5345 -> unless(v12.vulkanMemoryModel(), "vulkanMemoryModel");
            case 5346 -> unless(v12.vulkanMemoryModelDeviceScope(), "vulkanMemoryModelDeviceScope");
            case 5347 -> unless(v12.bufferDeviceAddress(), "bufferDeviceAddress");
            case 5379 -> unless(on.v13().shaderDemoteToHelperInvocation(), "shaderDemoteToHelperInvocation");
            case 6019 -> unless(on.v13().shaderIntegerDotProduct(), "shaderIntegerDotProduct");
            default -> null;
        };
    }

    private static @Nullable String unless(boolean on, String feature) {
        return on ? null : feature;
    }
}
