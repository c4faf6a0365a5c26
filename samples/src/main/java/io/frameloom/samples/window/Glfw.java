package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.samples.window.StageListener.Button;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.glfw.Callbacks;
import org.lwjgl.glfw.GLFW;
import org.lwjgl.glfw.GLFWVidMode;
import org.lwjgl.glfw.GLFWVulkan;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;

/** Windows of GLFW. */
final class Glfw implements WindowSystem {
    private static final double NANOS = 1e9;

    private final Set<String> extensions;

    private Glfw(Set<String> extensions) {
        this.extensions = extensions;
    }

    /** Begins GLFW, or returns null where there is no display, or none that Vulkan can present to. */
    static @Nullable Glfw begin() {
        // What goes wrong is said by those who call, in one line.
        GLFW.glfwSetErrorCallback(null);
        if (!GLFW.glfwInit()) {
            return null;
        }
        PointerBuffer names = GLFWVulkan.glfwGetRequiredInstanceExtensions();
        if (names == null) {
            GLFW.glfwTerminate();
            return null;
        }
        Set<String> extensions = new HashSet<>();
        for (int i = 0; i < names.capacity(); i++) {
            extensions.add(names.getStringUTF8(i));
        }
        return new Glfw(Set.copyOf(extensions));
    }

    @Override
    public Set<String> extensions() {
        return extensions;
    }

    @Override
    public Stage open(String title, int x, int y, int width, int height) {
        GLFW.glfwDefaultWindowHints();
        GLFW.glfwWindowHint(GLFW.GLFW_CLIENT_API, GLFW.GLFW_NO_API);
        GLFW.glfwWindowHint(GLFW.GLFW_POSITION_X, x);
        GLFW.glfwWindowHint(GLFW.GLFW_POSITION_Y, y);
        long window = GLFW.glfwCreateWindow(width, height, title, MemoryUtil.NULL, MemoryUtil.NULL);
        if (window == MemoryUtil.NULL) {
            throw new GpuException("GLFW cannot open a window of " + width + "x" + height);
        }
        return new Window(window);
    }

    @Override
    public void poll() {
        GLFW.glfwPollEvents();
    }

    @Override
    public void await(Duration time) {
        GLFW.glfwWaitEventsTimeout(time.toNanos() / NANOS);
    }

    @Override
    public void close() {
        GLFW.glfwTerminate();
    }

    private static @Nullable StageKey key(int key) {
        return switch (key) {
            case GLFW.GLFW_KEY_W -> StageKey.W;
            case GLFW.GLFW_KEY_A -> StageKey.A;
            case GLFW.GLFW_KEY_S -> StageKey.S;
            case GLFW.GLFW_KEY_D -> StageKey.D;
            case GLFW.GLFW_KEY_Q -> StageKey.Q;
            case GLFW.GLFW_KEY_E -> StageKey.E;
            case GLFW.GLFW_KEY_UP -> StageKey.UP;
            case GLFW.GLFW_KEY_DOWN -> StageKey.DOWN;
            case GLFW.GLFW_KEY_LEFT -> StageKey.LEFT;
            case GLFW.GLFW_KEY_RIGHT -> StageKey.RIGHT;
            case GLFW.GLFW_KEY_LEFT_SHIFT, GLFW.GLFW_KEY_RIGHT_SHIFT -> StageKey.SHIFT;
            case GLFW.GLFW_KEY_LEFT_CONTROL, GLFW.GLFW_KEY_RIGHT_CONTROL -> StageKey.CONTROL;
            case GLFW.GLFW_KEY_SPACE -> StageKey.SPACE;
            case GLFW.GLFW_KEY_PERIOD -> StageKey.PERIOD;
            case GLFW.GLFW_KEY_BACKSPACE -> StageKey.BACKSPACE;
            case GLFW.GLFW_KEY_DELETE -> StageKey.DELETE;
            case GLFW.GLFW_KEY_ENTER, GLFW.GLFW_KEY_KP_ENTER -> StageKey.ENTER;
            case GLFW.GLFW_KEY_TAB -> StageKey.TAB;
            case GLFW.GLFW_KEY_HOME -> StageKey.HOME;
            case GLFW.GLFW_KEY_END -> StageKey.END;
            case GLFW.GLFW_KEY_ESCAPE -> StageKey.ESCAPE;
            case GLFW.GLFW_KEY_F1 -> StageKey.F1;
            case GLFW.GLFW_KEY_F11 -> StageKey.F11;
            default -> null;
        };
    }

    private static @Nullable Button button(int button) {
        return switch (button) {
            case GLFW.GLFW_MOUSE_BUTTON_LEFT -> Button.LEFT;
            case GLFW.GLFW_MOUSE_BUTTON_MIDDLE -> Button.MIDDLE;
            case GLFW.GLFW_MOUSE_BUTTON_RIGHT -> Button.RIGHT;
            default -> null;
        };
    }

    private static final class Window implements Stage {
        private final long window;
        private StageListener listener = StageListener.NONE;
        private float x;
        private float y;
        /** Where it was before it covered the screen: x, y, width, height. */
        private final int[] before = new int[4];

        Window(long window) {
            this.window = window;
            GLFW.glfwSetCursorPosCallback(window, (of, newX, newY) -> {
                float scale = scale();
                x = (float) newX * scale;
                y = (float) newY * scale;
                listener.pointer(x, y);
            });
            GLFW.glfwSetMouseButtonCallback(window, (of, number, action, mods) -> {
                Button button = button(number);
                if (button != null) {
                    listener.button(button, action == GLFW.GLFW_PRESS, x, y);
                }
            });
            GLFW.glfwSetScrollCallback(window, (of, turnX, turnY) -> listener.wheel((float) turnX, (float) turnY));
            GLFW.glfwSetKeyCallback(window, (of, code, scancode, action, mods) -> {
                StageKey key = key(code);
                if (key != null) {
                    listener.key(key, action != GLFW.GLFW_RELEASE);
                }
            });
            GLFW.glfwSetCharCallback(window, (of, codePoint) -> listener.text(codePoint));
        }

        /** Texels of a unit of the screen. */
        private float scale() {
            int[] wide = new int[1];
            int[] high = new int[1];
            GLFW.glfwGetWindowSize(window, wide, high);
            return wide[0] == 0 ? 1 : (float) width() / wide[0];
        }

        @Override
        public Surface surface(GpuDevice device) {
            VulkanDevice gpu = (VulkanDevice) device;
            try (MemoryStack stack = MemoryStack.stackPush()) {
                var out = stack.mallocLong(1);
                int result = GLFWVulkan.glfwCreateWindowSurface(gpu.handles().instance(), window, null, out);
                if (result != VK13.VK_SUCCESS) {
                    throw new GpuException("GLFW cannot make a surface of its window: VkResult " + result);
                }
                return gpu.adoptSurface("window", out.get(0));
            }
        }

        @Override
        public String name() {
            return "a window";
        }

        @Override
        public int width() {
            return extent()[0];
        }

        @Override
        public int height() {
            return extent()[1];
        }

        private int[] extent() {
            int[] width = new int[1];
            int[] height = new int[1];
            GLFW.glfwGetFramebufferSize(window, width, height);
            return new int[] {width[0], height[0]};
        }

        @Override
        public boolean isMinimized() {
            int[] extent = extent();
            return extent[0] == 0
                    || extent[1] == 0
                    || GLFW.glfwGetWindowAttrib(window, GLFW.GLFW_ICONIFIED) == GLFW.GLFW_TRUE;
        }

        @Override
        public boolean isClosed() {
            return GLFW.glfwWindowShouldClose(window);
        }

        @Override
        public void resize(int width, int height) {
            GLFW.glfwSetWindowSize(window, width, height);
        }

        @Override
        public void fullScreen(boolean whether) {
            long monitor = GLFW.glfwGetPrimaryMonitor();
            GLFWVidMode mode = monitor == MemoryUtil.NULL ? null : GLFW.glfwGetVideoMode(monitor);
            if (mode == null) {
                return;
            }
            if (whether) {
                int[] left = new int[1];
                int[] top = new int[1];
                int[] wide = new int[1];
                int[] high = new int[1];
                GLFW.glfwGetWindowPos(window, left, top);
                GLFW.glfwGetWindowSize(window, wide, high);
                before[0] = left[0];
                before[1] = top[0];
                before[2] = wide[0];
                before[3] = high[0];
                GLFW.glfwSetWindowMonitor(window, monitor, 0, 0, mode.width(), mode.height(), mode.refreshRate());
            } else {
                GLFW.glfwSetWindowMonitor(
                        window, MemoryUtil.NULL, before[0], before[1], before[2], before[3], GLFW.GLFW_DONT_CARE);
            }
        }

        @Override
        public void title(String title) {
            GLFW.glfwSetWindowTitle(window, title);
        }

        @Override
        public void listen(StageListener to) {
            listener = to;
        }

        @Override
        public void close() {
            Callbacks.glfwFreeCallbacks(window);
            GLFW.glfwDestroyWindow(window);
        }
    }
}
