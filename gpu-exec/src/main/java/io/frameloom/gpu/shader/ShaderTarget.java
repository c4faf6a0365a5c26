package io.frameloom.gpu.shader;

import org.lwjgl.util.shaderc.SPV;
import org.lwjgl.util.shaderc.Shaderc;

/** The version of Vulkan that shaders are for. */
public enum ShaderTarget {
    /** SPIR-V of versions up to 1.5. */
    VULKAN_1_2("Vulkan 1.2", Shaderc.shaderc_env_version_vulkan_1_2, SPV.SPV_ENV_VULKAN_1_2),
    /** SPIR-V of versions up to 1.6. */
    VULKAN_1_3("Vulkan 1.3", Shaderc.shaderc_env_version_vulkan_1_3, SPV.SPV_ENV_VULKAN_1_3);

    final String words;
    final int shaderc;
    final int validator;

    ShaderTarget(String words, int shaderc, int validator) {
        this.words = words;
        this.shaderc = shaderc;
        this.validator = validator;
    }
}
