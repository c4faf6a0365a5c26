package io.frameloom.gpu.pipeline;

import java.util.Map;
import java.util.regex.Pattern;

/** Rules of preprocessor definitions: compilers make lines of text of them without checks. Stateless. */
final class DefineNames {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

    private DefineNames() {}

    /**
     * Checks the definitions of a shader.
     *
     * @throws IllegalArgumentException naming the shader, the definition and its defect
     */
    static void check(String shader, ShaderCode code) {
        if (code instanceof ShaderCode.Glsl glsl) {
            check(shader, glsl.defines());
        } else if (code instanceof ShaderCode.GlslFile file) {
            check(shader, file.defines());
        }
    }

    private static void check(String shader, Map<String, String> defines) {
        defines.forEach((name, value) -> {
            String where = "shader '" + shader + "' defines '" + name + "'";
            if (!IDENTIFIER.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        where + ", which is no identifier; use letters, digits and _, and begin with no digit");
            }
            if (name.startsWith("gl_") || name.startsWith("GL_") || name.equals("defined")) {
                throw new IllegalArgumentException(
                        where + ", which GLSL reserves like all names that begin with gl_ or GL_; use another");
            }
            if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
                throw new IllegalArgumentException(
                        where + " with a value of several lines, of which it would take the first; use one line");
            }
        });
    }
}
