package io.frameloom.gpu.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VK13;

/** Formats and the numbers that Vulkan has for them. */
class FormatTest {
    /** Vulkan's names have endings for how texels are packed. */
    private static Map<String, Integer> vulkan() throws IllegalAccessException {
        Map<String, Integer> numbers = new TreeMap<>();
        for (Field field : VK13.class.getFields()) {
            if (field.getName().startsWith("VK_FORMAT_") && field.getType() == int.class) {
                numbers.put(
                        field.getName().toUpperCase(Locale.ROOT).replaceAll("^VK_FORMAT_|_(BLOCK|PACK32)$", ""),
                        field.getInt(null));
            }
        }
        return numbers;
    }

    @Test
    void eachHasTheNumberOfItsName() throws IllegalAccessException {
        Map<String, Integer> numbers = vulkan();
        for (Format format : Format.values()) {
            assertThat(format.vulkan()).as(format.name()).isEqualTo(numbers.get(format.name()));
            assertThat(Format.ofVulkan(format.vulkan())).isEqualTo(format);
        }
    }

    @Test
    void anotherNumberIsRefused() {
        for (int number : new int[] {VK13.VK_FORMAT_UNDEFINED, VK13.VK_FORMAT_R64_SFLOAT, -1}) {
            assertThatThrownBy(() -> Format.ofVulkan(number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("VkFormat " + number + " ")
                    .hasMessageContaining("Format.values()");
        }
    }
}
